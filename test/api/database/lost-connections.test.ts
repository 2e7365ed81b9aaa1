import { once } from 'node:events'
import { type AddressInfo, createServer, connect as dial, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, type TestContext, test } from 'vitest'
import { openDatabase } from '../../../server/database/open.ts'
import { isDatabaseAway } from '../../../server/kit/database-away.ts'
import { everyScope, furnishedDatabase, requestToken } from '../../support/server.ts'
import { originOf, serverProcesses } from '../../support/server-processes.ts'
import { forEachStore } from '../../support/stores.ts'

forEachStore((store) => {
  const start = serverProcesses()

  // The first four wait for seconds, each for a database of its own: they wait at once.
  test.runIf(store.kind === 'postgres')(
    'a database that falls silent is said to be away, and is there again',
    { concurrent: true, timeout: 60_000 },
    async ({ onTestFinished }) => {
      const wire = await listenBetween(await store.createDatabase(), onTestFinished)
      const database = openDatabase(wire.databaseUrl)
      onTestFinished(() => database.close())
      await database.ping()
      wire.isSilent = true
      await expect(database.ping()).rejects.toThrow()
      const known = wire.connections
      const asked = Array.from({ length: 50 }, () => sql`select 1`.execute(database.schema))
      await Promise.all(asked.map((one) => expect(one).rejects.toSatisfy(isDatabaseAway)))
      // Nobody of those who wait for a connection tries in vain what others have tried.
      expect(wire.connections - known).toBeLessThan(20)
      wire.isSilent = false
      await database.ping()
    },
  )

  test.runIf(store.kind === 'postgres')(
    'what is asked of a database that falls silent fails in seconds, and a statement that takes long is waited for',
    { concurrent: true, timeout: 60_000 },
    async ({ onTestFinished }) => {
      const wire = await listenBetween(await store.createDatabase(), onTestFinished)
      const database = openDatabase(wire.databaseUrl)
      onTestFinished(() => database.close())
      const pause = (seconds: number) => sql`select pg_sleep(${seconds})`.execute(database.read)
      await pause(7)
      const asked = [
        pause(0),
        database.transact(async (tx) => {
          await sql`select 1`.execute(tx)
          wire.isSilent = true
          await sql`select 1`.execute(tx)
        }),
      ]
      await asked[0]
      await expect(asked[1]).rejects.toSatisfy(isDatabaseAway)
      await expect(pause(0)).rejects.toSatisfy(isDatabaseAway)
      wire.isSilent = false
      await pause(0)
    },
  )

  test.runIf(store.kind === 'postgres')(
    'who finds all connections in use waits for one, as long as others give theirs back',
    { concurrent: true, timeout: 60_000 },
    async ({ onTestFinished }) => {
      const database = openDatabase(await store.createDatabase())
      onTestFinished(() => database.close())
      await Promise.all(Array.from({ length: 40 }, () => sql`select pg_sleep(2)`.execute(database.read)))
      const pauses = Array.from({ length: 8 }, () => sql`select pg_sleep(8)`.execute(database.read))
      await expect(sql`select 1`.execute(database.read)).rejects.toSatisfy(isDatabaseAway)
      await Promise.all(pauses)
    },
  )

  test.runIf(store.kind === 'postgres')(
    'a transaction that asks nothing any more gives its locks up, whatever became of its process',
    { concurrent: true, timeout: 60_000 },
    async ({ onTestFinished }) => {
      const database = openDatabase(await store.createDatabase())
      onTestFinished(() => database.close())
      await sql`create table things (id int)`.execute(database.schema)
      const locked = Promise.withResolvers<void>()
      const stopped = database.transact(async (tx) => {
        await sql`lock table things`.execute(tx)
        locked.resolve()
        await sleep(20_000)
        await sql`select 1`.execute(tx)
      })
      const over = expect(stopped).rejects.toSatisfy(isDatabaseAway)
      await locked.promise
      await database.transact((tx) => sql`insert into things values (1)`.execute(tx))
      await over
    },
  )

  test.runIf(store.kind === 'postgres')(
    'a process that was too busy to hear its database answer does not take it for away',
    { timeout: 60_000 },
    async () => {
      const database = openDatabase(await store.createDatabase())
      onTestFinished(() => database.close())
      const asked = sql`select 1`.execute(database.read)
      await sleep(0)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 7000)
      await asked
    },
  )

  test.runIf(store.kind === 'postgres')(
    'connections that are lost in the middle are refusals to try again, and no more',
    async () => {
      const { databaseUrl, clients } = await furnishedDatabase(store)
      const server = start(databaseUrl)
      const base = `${await originOf(server)}/t/acme`
      const token = await requestToken(base, clients.acme, everyScope)
      const statuses = new Map<number, number>()
      let isOver = false
      const ask = async (worker: number) => {
        for (let asked = 0; !isOver; asked++) {
          const answer = await fetch(`${base}/api/v1/provision/admin/tags`, {
            method: 'POST',
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            body: JSON.stringify({ scope: 'Product', name: `${worker} ${asked}` }),
          })
          await answer.arrayBuffer()
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        }
      }
      const asking = Array.from({ length: 10 }, (_, worker) => ask(worker))
      const other = new pg.Client(databaseUrl)
      await other.connect()
      for (let round = 0; round < 20; round++) {
        await other.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        )
        await sleep(50)
      }
      await other.end()
      await sleep(300)
      isOver = true
      await Promise.all(asking)
      expect(server.exitCode).toBeNull()
      expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([])
      expect(statuses.get(503)).toBeGreaterThan(0)
      expect((await fetch(`${base.replace('/t/acme', '')}/readyz`)).status).toBe(200)
    },
  )

  test.runIf(store.kind === 'postgres')(
    'a thread for heavy operations that found no connection when it started does its work once there are some',
    async () => {
      const { databaseUrl, clients } = await furnishedDatabase(store)
      const base = `${await originOf(start(databaseUrl))}/t/acme`
      const token = await requestToken(base, clients.acme, everyScope)
      const get = async (path: string) => {
        const answer = await fetch(`${base}/api/v1/provision/admin/${path}`, {
          headers: { authorization: `Bearer ${token}` },
        })
        await answer.arrayBuffer()
        return answer.status
      }
      const name = new URL(databaseUrl).pathname.slice(1)
      const operator = new pg.Client(Object.assign(new URL(databaseUrl), { pathname: '/postgres' }).href)
      await operator.connect()
      onTestFinished(() => operator.end())
      expect(await get('tags')).toBe(200)
      await operator.query(`alter database "${name}" allow_connections false`)
      expect([await get('tags'), await get('catalog/export')]).toEqual([200, 503])
      await operator.query(`alter database "${name}" allow_connections true`)
      expect([await get('catalog/export'), await get('reports/revenue')]).toEqual([200, 200])
    },
  )
})

/** Lets everything to a database pass, until it is told to keep to itself what comes. */
async function listenBetween(databaseUrl: string, onTestFinished: TestContext['onTestFinished']) {
  const url = new URL(databaseUrl)
  const { hostname, port } = url
  const sockets = new Set<Socket>()
  const wire = { databaseUrl: '', isSilent: false, connections: 0 }
  const listener = createServer((near) => {
    wire.connections++
    const far = dial(Number(port), hostname)
    for (const [from, to] of [[near, far] as const, [far, near] as const]) {
      sockets.add(from)
      from.on('data', (sent) => void (wire.isSilent || to.write(sent)))
      from.on('error', () => undefined)
      from.on('close', () => to.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  onTestFinished(() => {
    listener.close()
    for (const socket of sockets) socket.destroy()
  })
  url.port = String((listener.address() as AddressInfo).port)
  return Object.assign(wire, { databaseUrl: url.href })
}
