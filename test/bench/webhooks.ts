import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../../server/database/open.ts'
import { eventRow, type Happening } from '../../server/kit/outbox.ts'
import { insertStatements, runStatements } from '../../server/kit/records/store.ts'
import { alternate, type Bench, isQuick, quantile, type Row, residentMegabytes, rounds } from './measuring.ts'
import { type Served, startBeside, stores, withServer } from './served.ts'

const concurrency = 32
const deliveries = isQuick ? 500 : 20_000
const backlog = isQuick ? 5000 : 100_000
const healthyEndpoints = isQuick ? 10 : 98
const causes = isQuick ? 10 : 200

/** How fast events reach those who want them, and who is held up by whom. */
export const benchWebhooks: Bench = async () => {
  const rows: Row[] = []
  for (const store of stores) {
    rows.push(await withServer(store, measureRate))
    rows.push(...(await withServer(store, measureLatency)))
    rows.push(await withServer(store, measureMemory))
  }
  return rows
}

/** Has an endpoint told of everything, without a signed answer to the challenge; answers the subscription's id. */
async function subscribe({ ask }: Served, url: string): Promise<string> {
  const subscriptions = '/api/v1/webhooks/integrator/subscriptions'
  const made = await ask('POST', subscriptions, JSON.stringify({ url, eventTypes: ['*'] }))
  const { id } = JSON.parse(made) as { id: string }
  await ask('POST', `${subscriptions}/${id}/verify`)
  return id
}

/** Records so many events as if something had happened, the server not knowing. */
async function causeEvents({ databaseUrl, tenantId }: Served, count: number): Promise<void> {
  const database = openDatabase(databaseUrl)
  const cause = { tenantId, now: Date.now(), actor: 'bench', correlationId: 'bench' }
  const happening = {
    type: 'Entitlement.Renewed',
    entityId: crypto.randomUUID(),
    data: { text: 'x'.repeat(450) },
  } as unknown as Happening
  const rows = Array.from({ length: count }, () => eventRow(cause, happening))
  const waiting = rows.map(({ id, tenant_id }) => ({ event_id: id, tenant_id }))
  await database.transact(async (tx) => {
    await runStatements(tx, insertStatements(database.kind, 'events', rows))
    await runStatements(tx, insertStatements(database.kind, 'undispatched_events', waiting))
  })
  await database.close()
}

interface Taken {
  count: number
  first: number
  last: number
}

const askSink = async (origin: string, path = '/') => (await (await fetch(`${origin}${path}`)).json()) as Taken

/** Waits until a sink has taken so many; answers how many it took a second, and counts anew. */
async function rateOf(origin: string, count: number): Promise<number> {
  while ((await askSink(origin)).count < count) await sleep(50)
  const { first, last } = await askSink(origin, '/anew')
  return ((count - 1) / (last - first)) * 1000
}

async function measureRate(served: Served): Promise<Row> {
  const sink = await startBeside('webhook-sink.ts')
  await subscribe(served, `${sink.origin}/hook`)
  await askSink(sink.origin, '/anew')
  const ours = async () => {
    await causeEvents(served, deliveries)
    const rate = await rateOf(sink.origin, deliveries)
    // What was delivered last is recorded, and what was written is settled.
    await sleep(500)
    return rate
  }
  const floor = async () => {
    const bare = join(import.meta.dirname, 'bare-webhooks.ts')
    const child = spawn(process.execPath, [bare, sink.origin, `${deliveries}`, `${concurrency}`], { stdio: 'inherit' })
    await once(child, 'exit')
    return rateOf(sink.origin, deliveries)
  }
  try {
    await ours()
    const rates = await alternate(rounds, { ours, floor })
    return {
      name: `deliveries, recorded and audited, ${served.store}`,
      value: rates.ours,
      floor: rates.floor,
      floorName: 'an undici pool that signs and posts',
      unit: '/s',
      target: { id: 'T13', of: 'ratio', atLeast: 0.5 },
    }
  } finally {
    sink.stop()
  }
}

/** An endpoint in this process for each path, some slow: when each event reached each. */
async function openEndpoints(arrived: (eventId: string, at: number) => void) {
  const server = createServer((request, reply) => {
    const at = performance.now()
    if (request.url !== '/slow') arrived(request.headers['webhook-id'] as string, at)
    request.resume().on('end', () => {
      if (request.url === '/slow' && request.headers['webhook-event-type'] !== 'Webhooks.Registration.Challenge')
        setTimeout(() => reply.writeHead(204).end(), 25_000).unref()
      else reply.writeHead(204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

async function measureLatency(served: Served): Promise<Row[]> {
  const { ask, store } = served
  let causedAt = 0
  let taken: number[] = []
  const { origin, server } = await openEndpoints((_id, at) => taken.push(at - causedAt))
  const made = await ask('POST', entitlements, JSON.stringify({ name: 'Watched', status: 'Active' }))
  const one = `${entitlements}/${(JSON.parse(made) as { id: string }).id}`
  const latencies = async (endpoints: number) => {
    const all: number[] = []
    for (let round = 0; round < causes; round++) {
      await ask('POST', `${one}/suspend`)
      taken = []
      causedAt = performance.now()
      await ask('POST', `${one}/resume`)
      while (taken.length < endpoints) await sleep(1)
      all.push(...taken)
      await sleep(20)
    }
    return all
  }
  try {
    await subscribe(served, `${origin}/0`)
    const alone = await latencies(1)
    for (let index = 1; index < healthyEndpoints; index++) await subscribe(served, `${origin}/${index}`)
    const bad = [await subscribe(served, `${origin}/slow`), await subscribeDead(served)]
    const switchBad = async (status: string) => {
      for (const id of bad) await ask('PATCH', `/api/v1/webhooks/admin/subscriptions/${id}`, JSON.stringify({ status }))
    }
    const beside = { ours: [] as number[], floor: [] as number[] }
    const sample = (status: string, into: number[]) => async () => {
      await switchBad(status)
      return into.push(...(await latencies(healthyEndpoints)))
    }
    await latencies(healthyEndpoints)
    await alternate(rounds, { ours: sample('Active', beside.ours), floor: sample('Disabled', beside.floor) })
    const told = (values: number[]) => [0.5, 0.9, 0.99].map((share) => quantile(values, share).toFixed(0)).join(', ')
    return [
      {
        name: `from cause to endpoint, idle, p99, ${store}`,
        value: quantile(alone, 0.99),
        unit: 'ms',
        note: `p50 ${quantile(alone, 0.5).toFixed(1)} ms, the request that caused it included`,
      },
      {
        name: `${healthyEndpoints} endpoints beside a dead and a slow one, p99, ${store}`,
        value: quantile(beside.ours, 0.99),
        floor: quantile(beside.floor, 0.99),
        floorName: 'itself without the two',
        unit: 'ms',
        note: `p50, p90, p99: ${told(beside.ours)} ms; without ${told(beside.floor)} ms`,
      },
    ]
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const entitlements = '/api/v1/provision/admin/entitlements'

/** An endpoint that passes the challenge and is gone then. */
async function subscribeDead(served: Served): Promise<string> {
  const { origin, server } = await openEndpoints(() => undefined)
  const id = await subscribe(served, `${origin}/dead`)
  server.closeAllConnections()
  server.close()
  return id
}

async function measureMemory(served: Served): Promise<Row> {
  const sink = await startBeside('webhook-sink.ts')
  const resident = () => residentMegabytes(served.server.process.pid!)
  try {
    await subscribe(served, `${sink.origin}/hook`)
    await askSink(sink.origin, '/anew')
    const before = resident()
    let peak = before
    const watching = setInterval(() => {
      peak = Math.max(peak, resident())
    }, 100)
    await causeEvents(served, backlog)
    const rate = await rateOf(sink.origin, backlog)
    clearInterval(watching)
    return {
      name: `memory while ${backlog} events are delivered, ${served.store}`,
      value: peak,
      unit: 'MB',
      note: `${before.toFixed(0)} MB before; ${Math.round(rate)}/s`,
    }
  } finally {
    sink.stop()
  }
}
