import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import type { Readable } from '../../../server/database/database.ts'
import { openDatabase } from '../../../server/database/open.ts'
import { attempt } from '../../../server/kit/savepoint.ts'
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

  test.runIf(store.kind === 'postgres')(
    'a database that was read-only for a while is written to again, over every connection',
    async () => {
      const { url, set, reset } = await settingsOf(await store.createDatabase())
      const database = openDatabase(url)
      onTestFinished(() => database.close())
      await sql`create table things (id int)`.execute(database.schema)
      await set('default_transaction_read_only = on')
      const standing = openDatabase(url)
      onTestFinished(() => standing.close())
      const insertion = sql`insert into things values (1)`
      const writes = (): Promise<unknown>[] => [
        standing.transact((tx) => insertion.execute(tx)),
        standing.transactAtRunTime((tx) => attempt(tx, () => insertion.execute(tx))),
        insertion.execute(standing.schema),
      ]
      const reads = () => [standing.ping(), ...[1, 2].map(() => sql`table things`.execute(standing.read))]
      const atOnce = Array.from({ length: 3 }, writes).flat()
      for (const one of await Promise.allSettled(atOnce)) expect(one).toMatchObject({ reason: { code: '25006' } })
      // These leave connections behind that have not been written over.
      const looks = Array.from({ length: 8 }, () => [standing.transact, standing.transactAtRunTime]).flat()
      await Promise.all([...looks.map((transact) => transact((tx) => sql`select 1`.execute(tx))), ...reads()])
      await reset('default_transaction_read_only')
      // Each of them finds out at its next write, and no later.
      await Promise.allSettled(Array.from({ length: 8 }, writes).flat())
      await Promise.all([...Array.from({ length: 8 }, writes).flat(), ...reads()])
    },
  )

  test.runIf(store.kind === 'postgres')(
    'who only reads, too, is soon connected to the database as it is, and no longer to a standby',
    { timeout: 30_000 },
    async () => {
      const { url, set, reset } = await settingsOf(await store.createDatabase())
      await set('default_transaction_read_only = on')
      const database = openDatabase(url)
      onTestFinished(() => database.close())
      const show = async () => {
        // Longer than a moment, so that some are given up while they are used.
        const { rows } = await sql<{
          is: string
        }>`select current_setting('transaction_read_only') as is, pg_sleep(0.3)`.execute(database.read)
        return rows[0]!.is
      }
      const showAll = async () => new Set(await Promise.all(Array.from({ length: 8 }, show)))
      expect(await showAll()).toEqual(new Set(['on']))
      await reset('default_transaction_read_only')
      await expect.poll(showAll, { timeout: 10_000, interval: 100 }).toEqual(new Set(['off']))
      for (let asked = 0; asked < 8; asked++) expect(await showAll()).toEqual(new Set(['off']))
    },
  )

  test.runIf(store.kind === 'postgres').each([
    ['off', 'on'],
    ['local', 'local'],
    ['remote_write', 'remote_write'],
  ])('synchronous_commit=%s of a database is %s over every connection', async (given, meant) => {
    const { url, set } = await settingsOf(await store.createDatabase())
    await set(`synchronous_commit = ${given}`)
    for (const purpose of ['serving', 'bulk'] as const) {
      const database = openDatabase(url, purpose)
      onTestFinished(() => database.close())
      const show = (from: Readable) => sql<{ synchronous_commit: string }>`show synchronous_commit`.execute(from)
      const { read, schema, transact, transactAtRunTime } = database
      const shown = [show(read), show(schema as never), transact(show), transactAtRunTime(show)]
      for (const { rows } of await Promise.all(shown)) expect(rows).toEqual([{ synchronous_commit: meant }])
    }
  })

  test.runIf(store.kind === 'postgres')(
    'who writes in bulk has each reference looked up by an index, however small the table was when that was planned',
    async () => {
      const url = await store.createDatabase()
      const serving = openDatabase(url)
      const bulk = openDatabase(url, 'bulk')
      onTestFinished(() => serving.close())
      onTestFinished(() => bulk.close())
      await sql`create table things (id int primary key)`.execute(serving.schema)
      await sql`insert into things values (1)`.execute(serving.schema)
      await sql`analyze things`.execute(serving.schema)
      const planOf = async (from: Readable) => {
        const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select from things where id = 1`.execute(from)
        return rows.map((row) => row['QUERY PLAN']).join()
      }
      expect(await bulk.transact(planOf)).toContain('Index')
      for (const plan of [serving.transact(planOf), planOf(serving.read), planOf(bulk.read)])
        expect(await plan).toContain('Seq Scan')
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
