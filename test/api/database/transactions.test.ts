import { once } from 'node:events'
import { createServer, connect as dial, type Socket } from 'node:net'
import { CompiledQuery } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { standingsOf } from '../../../server/activations/usage/standing.ts'
import type { Database, Tx } from '../../../server/database/database.ts'
import { migrate } from '../../../server/database/migrate.ts'
import { openDatabase } from '../../../server/database/open.ts'
import { compileOnce } from '../../../server/kit/compiled-query.ts'
import { isDatabaseAway } from '../../../server/kit/database-away.ts'
import { newId } from '../../../server/kit/ids.ts'
import { Problem } from '../../../server/kit/problem.ts'
import { runLastStatements, runStatements } from '../../../server/kit/records/store.ts'
import { attempt } from '../../../server/kit/savepoint.ts'
import { loadEnvironment } from '../../../server/snapshot/environment.ts'
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

  test('how sessions stand is answered as a whole before the transaction fails', async () => {
    const { database } = await openWithNotes(store, await store.createDatabase())
    let asked = 0
    let answered = 0

    const failing = database.transact((tx) => {
      const slowly = tx.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          if (asked++ === 0) throw new Error('an answer that nobody can read')
          await new Promise((resolve) => setTimeout(resolve, 20))
          answered++
          return result
        },
      })
      return standingsOf(slowly, newId(), [{ sessionId: newId(), entitlementId: newId() }], Date.now())
    })

    await expect(failing).rejects.toThrow('an answer that nobody can read')
    expect([asked, answered]).toEqual([2, 1])
  })

  test('what was left to the commit within a savepoint fails within it', async () => {
    const { database, insertion, noted } = await openWithNotes(store, await store.createDatabase())
    await database.transact((tx) => runLastStatements(tx, [insertion('taken')]))

    const answered = await database.transact(async (tx) => {
      await runStatements(tx, [insertion('outside')])
      return attempt(tx, () => runLastStatements(tx, [insertion('inside'), insertion('taken')]))
    })

    expect(answered).toMatchObject({ refusal: { codeName: 'catalog.duplicate_key' } })
    expect(await noted()).toEqual(['taken', 'outside'])
  })

  test('what was left to the commit within a savepoint is undone with it', async () => {
    const { database, insertion, noted } = await openWithNotes(store, await store.createDatabase())

    const refused = await database.transact(async (tx) => {
      await runStatements(tx, [insertion('outside')])
      return attempt(tx, async () => {
        await runLastStatements(tx, [insertion('inside')])
        throw new Problem('request.malformed', 'refused')
      })
    })

    expect(refused).toMatchObject({ refusal: { codeName: 'request.malformed' } })
    expect(await noted()).toEqual(['outside'])
  })

  test.runIf(store.kind === 'postgres')('a transaction that could not begin writes nothing', async () => {
    const wire = await listenBetween(await store.createDatabase())
    const { database, insertion, noted } = await openWithNotes(store, wire.databaseUrl)
    await database.transact((tx) => runStatements(tx, [insertion('before')]))
    wire.refuseNextBegin()

    const failing = database.transact(async (tx) => {
      await tenantNamed(tx, { slug: 'a' }).catch(() => undefined)
      await runLastStatements(tx, [insertion('read first')])
    })
    await expect(failing).rejects.toSatisfy(isDatabaseAway)
    wire.refuseNextBegin()
    await expect(database.transact((tx) => runStatements(tx, [insertion('written first')]))).rejects.toThrow()

    expect(await noted()).toEqual(['before'])
    await database.transact((tx) => runStatements(tx, [insertion('after')]))
    expect(await noted()).toEqual(['before', 'after'])
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

  test.runIf(store.kind === 'postgres')('a whole catalog is read in one round trip, of one moment', async () => {
    const wire = await listenBetween(await store.createDatabase())
    const { database } = await openWithNotes(store, wire.databaseUrl)
    await loadEnvironment(database.read, 'another')

    const before = wire.roundTrips()
    await loadEnvironment(database.read, 'nobody')

    expect(wire.roundTrips() - before).toBe(2)
    wire.refuseNextBegin()
    await expect(loadEnvironment(database.read, 'somebody')).rejects.toSatisfy(isDatabaseAway)
    expect(await loadEnvironment(database.read, 'somebody')).toMatchObject({ revision: 0 })
  })
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
  let isRefusing = false
  const listener = createServer((near) => {
    const far = dial(Number(port), hostname)
    let isAnswered = true
    near.on('data', (sent) => {
      if (isAnswered) roundTrips++
      isAnswered = false
      const beginning = isRefusing ? beginnings.find((text) => sent.includes(simpleQuery(text))) : undefined
      if (beginning === undefined) return void far.write(sent)
      isRefusing = false
      // A statement that fails and no transaction, in as many bytes.
      const at = sent.indexOf(simpleQuery(beginning))
      const failing = simpleQuery('?'.repeat(beginning.length))
      far.write(Buffer.concat([sent.subarray(0, at), failing, sent.subarray(at + failing.length)]))
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
  return {
    databaseUrl: url.href,
    roundTrips: () => roundTrips,
    refuseNextBegin: () => {
      isRefusing = true
    },
  }
}

/** Simple queries of PostgreSQL's protocol, of one length. */
const simpleQuery = (text: string) =>
  Buffer.concat([Buffer.from('Q'), Buffer.from([0, 0, 0, 4 + text.length + 1]), Buffer.from(`${text}\0`)])
const beginnings = [
  'start transaction isolation level read committed',
  'start transaction isolation level repeatable read read only',
]
