import { once } from 'node:events'
import { createServer, connect as dial, type Socket } from 'node:net'
import { CompiledQuery } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { Database, Tx } from '../../../server/database/database.ts'
import { migrate } from '../../../server/database/migrate.ts'
import { openDatabase } from '../../../server/database/open.ts'
import { compileOnce } from '../../../server/kit/compiled-query.ts'
import { runLastStatements, runStatements } from '../../../server/kit/records/store.ts'
import { forEachStore, type TestStore } from '../../support/stores.ts'

const tenantNamed = compileOnce((read, { slug }: { slug: string }) =>
  read.selectFrom('tenants').select('name').where('slug', '=', slug),
)

forEachStore((store) => {
  test('the last statements of a transaction fail with it, and tell why', async () => {
    const { database, insertion, noted } = await openWithNotes(store, await store.createDatabase())
    await database.transact((tx) => runLastStatements(tx, [insertion('taken')]))

    const failing = database.transact(async (tx) => {
      await runStatements(tx, [insertion('before')])
      await runLastStatements(tx, [insertion('beside'), insertion('taken'), insertion('after')])
      return 'done'
    })

    await expect(failing).rejects.toMatchObject({ codeName: 'catalog.duplicate_key' })
    expect(await noted()).toEqual(['taken'])
  })

  test('a transaction that is refused after its last statements were sent leaves nothing', async () => {
    const { database, insertion, noted } = await openWithNotes(store, await store.createDatabase())

    const refused = database.transact(async (tx) => {
      await runLastStatements(tx, [insertion('one')])
      throw new Error('refused')
    })

    await expect(refused).rejects.toThrow('refused')
    expect(await noted()).toEqual([])
  })

  test('statements that nobody waits for in between are run in their order', async () => {
    const { database, insertion, noted } = await openWithNotes(store, await store.createDatabase())
    const all = Array.from({ length: 200 }, (_, at) => `note ${at}`)

    await database.transact(async (tx) => {
      await runStatements(tx, all.slice(0, 100).map(insertion))
      await runLastStatements(tx, all.slice(100).map(insertion))
    })

    expect(await noted()).toEqual(all)
  })

  test('nothing is written by what goes on when its transaction has failed', async () => {
    const { database, insertion, noted } = await openWithNotes(store, await store.createDatabase())
    let later: Promise<unknown> = Promise.resolve()

    const failing = database.transact(async (tx: Tx) => {
      later = new Promise((resolve) => setTimeout(resolve, 50)).then(() => runStatements(tx, [insertion('late')]))
      later.catch(() => undefined)
      throw new Error('failed')
    })

    await expect(failing).rejects.toThrow('failed')
    await expect(later).rejects.toThrow()
    expect(await noted()).toEqual([])
  })

  test.runIf(store.kind === 'postgres')(
    'a decision is two round trips, of which what it locks is held for one',
    async () => {
      const wire = await listenBetween(await store.createDatabase())
      const { database, insertion, noted } = await openWithNotes(store, wire.databaseUrl)
      const decide = (name: string) =>
        database.transact(async (tx) => {
          await Promise.all([tenantNamed(tx, { slug: 'a' }), tenantNamed(tx, { slug: 'b' })])
          await runLastStatements(tx, [insertion(`${name} 1`), insertion(`${name} 2`)])
        })
      await decide('first')

      const before = wire.roundTrips()
      await decide('second')

      expect(wire.roundTrips() - before).toBe(2)
      expect(await noted()).toHaveLength(4)
    },
  )
})

/** A migrated database with a table of its own, of notes that are each made once. */
async function openWithNotes(store: TestStore, databaseUrl: string) {
  const database: Database = openDatabase(databaseUrl)
  onTestFinished(() => database.close())
  await migrate(database)
  const [place, count] = store.kind === 'postgres' ? ['$1', 'bigserial'] : ['?', 'integer']
  await database.schema.executeQuery(
    CompiledQuery.raw(`create table notes (place ${count} primary key, note text not null unique)`),
  )
  return {
    database,
    insertion: (note: string) => ({ text: `insert into notes (note) values (${place})`, parameters: [note] }),
    noted: async () => {
      const { rows } = await database.read.executeQuery<{ note: string }>(
        CompiledQuery.raw('select note from notes order by place'),
      )
      return rows.map(({ note }) => note)
    },
  }
}

/** Lets everything to a database pass, and counts how often something is sent there after an answer from there. */
async function listenBetween(databaseUrl: string) {
  const url = new URL(databaseUrl)
  const { hostname, port } = url
  const sockets = new Set<Socket>()
  let roundTrips = 0
  const listener = createServer((near) => {
    const far = dial(Number(port), hostname)
    let isAnswered = true
    near.on('data', (sent) => {
      if (isAnswered) roundTrips++
      isAnswered = false
      far.write(sent)
    })
    far.on('data', (answered) => {
      isAnswered = true
      near.write(answered)
    })
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        near.destroy()
        far.destroy()
      })
    }
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  onTestFinished(() => {
    listener.close()
    for (const socket of sockets) socket.destroy()
  })
  url.port = String((listener.address() as { port: number }).port)
  return { databaseUrl: url.href, roundTrips: () => roundTrips }
}
