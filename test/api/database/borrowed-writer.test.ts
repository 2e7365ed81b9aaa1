import { MessageChannel } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../../server/database/migrate.ts'
import { openDatabase } from '../../../server/database/open.ts'
import { withBorrowedWriter } from '../../../server/kit/borrowed-writer.ts'
import { forEachStore } from '../../support/stores.ts'

forEachStore((store) => {
  test.each(['transact', 'transactAtRunTime'] as const)(
    'the heavy thread has the writer before it writes (%s)',
    async (transact) => {
      const database = openDatabase(await store.createDatabase(), 'bulk')
      const { port1, port2 } = new MessageChannel()
      const said: string[] = []
      onTestFinished(async () => {
        port1.close()
        await database.close()
      })
      await migrate(database)
      const borrowed = withBorrowedWriter(
        database,
        ({ say }) => {
          said.push(say)
          if (say === 'want-writer') port1.postMessage('write')
        },
        port2,
      )

      await borrowed[transact](async (tx) => {
        said.push('writes')
        await tx.insertInto('installation').values({ name: 'noted', value: 'here' }).execute()
      })

      expect(said).toEqual(store.kind === 'sqlite' ? ['want-writer', 'writes', 'done-writing'] : ['writes'])
    },
  )
})
