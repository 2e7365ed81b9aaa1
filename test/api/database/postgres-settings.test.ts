import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../server/database/open.ts'
import { forEachStore } from '../../support/stores.ts'

forEachStore((store) => {
  test.runIf(store.kind === 'postgres')(
    'a transaction that PostgreSQL ends since it asks nothing says so, wherever the news find it',
    async () => {
      const { url, set } = await settingsOf(await store.createDatabase())
      await set(`idle_in_transaction_session_timeout = '50ms'`)
      const database = openDatabase(url)
      onTestFinished(() => database.close())
      const read = sql`select 1`
      const heard = database.transact(async (tx) => {
        await read.execute(tx)
        await sleep(1000)
        await read.execute(tx)
      })
      await expect(heard).rejects.toMatchObject({ code: '25P03' })
      const unheard = database.transact(async (tx) => {
        await read.execute(tx)
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
        await read.execute(tx)
      })
      await expect(unheard).rejects.toMatchObject({ code: '25P03' })
      await database.transact((tx) => read.execute(tx))
    },
  )
})

/** Sets or resets what new connections to a database begin with, over one that is there already. */
async function settingsOf(url: string) {
  const operator = new pg.Client(url)
  await operator.connect()
  onTestFinished(() => operator.end())
  const alter = (change: string) => operator.query(`alter database "${new URL(url).pathname.slice(1)}" ${change}`)
  return { url, set: (setting: string) => alter(`set ${setting}`), reset: (name: string) => alter(`reset ${name}`) }
}
