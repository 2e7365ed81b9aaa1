import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../server/database/open.ts'
import { openReceiver, type Receiver } from '../api/webhooks/receiver.ts'
import { everyScope, furnishedDatabase, requestToken } from '../support/server.ts'
import { originOf, serverProcesses } from '../support/server-processes.ts'
import { forEachStore } from '../support/stores.ts'

const wait = { timeout: 20_000, interval: 20 }
/** A process that is gone keeps its leases for six seconds, the next one looks once a second, and this machine may be busy. */
const mostTakeoverMillis = 12_000

forEachStore((store) => {
  const start = serverProcesses()
  let url: string
  let token: string
  let origin: string
  let clients: Awaited<ReturnType<typeof furnishedDatabase>>['clients']
  const receivers: Receiver[] = []
  const running: ChildProcess[] = []
  beforeAll(async () => {
    const furnished = await furnishedDatabase(store)
    url = furnished.databaseUrl
    clients = furnished.clients
  })
  afterEach(async () => {
    for (const server of running.splice(0)) await kill(server)
  })
  afterAll(async () => {
    for (const receiver of receivers) await receiver.close()
  })

  async function ask(method: string, path: string, body?: object) {
    const answer = await fetch(`${origin}/t/acme/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    expect([path, answer.status], text).toEqual([path, 200])
    return JSON.parse(text)
  }

  async function subscribe(): Promise<Receiver & { held: ServerResponse[]; id: string }> {
    const receiver = await openReceiver()
    receivers.push(receiver)
    const held: ServerResponse[] = []
    const { url: endpoint, secret } = receiver
    const { id } = await ask('POST', '/webhooks/admin/subscriptions', { url: endpoint, secret, eventTypes: ['*'] })
    await ask('POST', `/webhooks/admin/subscriptions/${id}/verify`)
    return Object.assign(receiver, { held, id })
  }
  const hold = (receiver: Receiver & { held: ServerResponse[] }) => {
    receiver.answer = (_, reply) => void receiver.held.push(reply)
  }

  async function serve(): Promise<ChildProcess> {
    const server = start(url)
    running.push(server)
    origin = await originOf(server)
    token ??= await requestToken(`${origin}/t/acme`, clients.acme, everyScope)
    return server
  }
  const sell = (count: number) =>
    Promise.all(
      Array.from({ length: count }, () =>
        ask('POST', '/provision/admin/entitlements', { name: 'Sold', status: 'Active' }),
      ),
    )
  async function kill(server: ChildProcess): Promise<void> {
    if (server.exitCode !== null || !server.kill('SIGKILL')) return
    await once(server, 'exit')
  }
  const idsOf = ({ received }: Receiver) => received.map(({ headers }) => String(headers['webhook-id']))

  test('what a killed server had in hand, and what it never tried, is delivered by the next one', async () => {
    const first = await serve()
    const endpoints = [await subscribe(), await subscribe()]
    for (const endpoint of endpoints) hold(endpoint)
    await sell(10)
    await expect.poll(() => endpoints.map(({ held }) => held.length), wait).toEqual([1, 1])
    // Processes that share a PostgreSQL stand in for one another; a SQLite file has one server after the other.
    if (store.kind === 'postgres') await serve()
    await kill(first)
    const killedAt = Date.now()
    for (const endpoint of endpoints) endpoint.answer = 204
    if (store.kind === 'sqlite') await serve()
    await expect.poll(() => endpoints.map(({ received }) => received.length), wait).toEqual([11, 11])
    expect(Date.now() - killedAt).toBeLessThan(mostTakeoverMillis)
    for (const endpoint of endpoints) {
      expect(new Set(idsOf(endpoint)).size).toBe(10)
      const again = endpoint.received.filter(({ headers }) => headers['webhook-id'] === idsOf(endpoint)[0])
      expect(again.map(({ headers }) => headers['webhook-delivery-attempt'])).toEqual(['1', '1'])
      expect(again[1]!.body).toEqual(again[0]!.body)
    }
  })

  test.runIf(store.kind === 'postgres')(
    'two servers deliver each event once to each, and lost connections lose none',
    async () => {
      await Promise.all([serve(), serve()])
      const endpoints = await Promise.all([subscribe(), subscribe(), subscribe()])
      await sell(50)
      await expect.poll(() => endpoints.map(({ received }) => received.length), wait).toEqual([50, 50, 50])
      for (const endpoint of endpoints) expect(new Set(idsOf(endpoint)).size).toBe(50)

      for (const endpoint of endpoints) endpoint.answer = (_, reply) => void setTimeout(() => reply.end(), 30)
      await sell(50)
      const other = new pg.Client(url)
      await other.connect()
      for (let round = 0; round < 3; round++) {
        await other.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        )
        await sleep(100)
      }
      await other.end()
      await expect.poll(() => endpoints.map((endpoint) => new Set(idsOf(endpoint)).size), wait).toEqual([100, 100, 100])
    },
  )

  test.runIf(store.kind === 'sqlite')(
    'a server that is told to stop waits a little for answers, and leaves the rest to the next at once',
    async () => {
      const stopping = await serve()
      const [quick, slow] = [await subscribe(), await subscribe()]
      for (const endpoint of [quick, slow]) hold(endpoint)
      await sell(3)
      await expect.poll(() => [quick, slow].map(({ held }) => held.length), wait).toEqual([1, 1])
      stopping.kill('SIGTERM')
      await sleep(500)
      for (const endpoint of [quick, slow]) endpoint.answer = 204
      quick.held[0]!.writeHead(204).end()
      const [code] = await once(stopping, 'exit')
      expect(code).toBe(0)
      expect([quick, slow].map(({ received }) => received.length)).toEqual([1, 1])
      const database = openDatabase(url)
      const leases = await database.read
        .selectFrom('webhook_leases')
        .select('leased_by')
        .where('subscription_id', 'in', [quick.id, slow.id])
        .execute()
      await database.close()
      expect(leases).toEqual([{ leased_by: null }, { leased_by: null }])
      await serve()
      await expect.poll(() => [quick, slow].map(({ received }) => received.length), wait).toEqual([3, 4])
      expect(new Set(idsOf(quick)).size).toBe(3)
      expect(new Set(idsOf(slow)).size).toBe(3)
    },
  )
})
