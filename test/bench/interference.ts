import { Worker } from 'node:worker_threads'
import { largeCatalog } from '../support/large-catalog.ts'
import type { TestTenant } from '../support/server.ts'
import { latencies, requestsPerSecond, type Shot, shot } from './load.ts'
import { type Bench, quantile, type Row } from './measuring.ts'
import { type Served, stores, withServer } from './served.ts'

const admin = '/api/v1/provision/admin'

/**
 * What small requests wait while another client compares or imports 10,000 items, against what they wait on an idle
 * server: reads, writes elsewhere (as the runtime's are), and edits of the very catalog that is imported into. What they
 * wait while another server does the same is the machine's part of it: all of them share its processors.
 */
export const benchInterference: Bench = async () => {
  const rows: Row[] = []
  for (const store of stores)
    rows.push(...(await withServer(store, (served) => withServer(store, (other) => measure(served, other)))))
  return rows
}

async function measure(served: Served, other: Served): Promise<Row[]> {
  const { server, base, token, store } = served
  const text = JSON.stringify(largeCatalog(10_000))
  for (const each of [served, other]) await each.ask('POST', `${admin}/catalog/import`, text)
  const measured = '{"scope":"Product","name":"Measured"}'
  const tag = JSON.parse(await served.ask('POST', `${admin}/tags`, measured))
  const otherTag = JSON.parse(await served.ask('POST', `${admin}/tags`, measured, 'neighbour'))
  let colour = 0
  const recolour = (tenant: TestTenant, id: string) =>
    shot(server.origin, 'PATCH', `/t/${tenant}${admin}/tags/${id}`, {
      headers: { authorization: `Bearer ${served.tokens[tenant]}`, 'content-type': 'application/json' },
      body: () => JSON.stringify({ color: `#${(colour++ % 0xffffff).toString(16).padStart(6, '0')}` }),
    })
  const shots: Record<Small, { shot: Shot; perSecond: number }> = {
    read: {
      shot: shot(server.origin, 'GET', `${base}${admin}/tags/${tag.id}`, {
        headers: { authorization: `Bearer ${token}` },
      }),
      perSecond: 100,
    },
    write: { shot: recolour('neighbour', otherTag.id), perSecond: 20 },
    edit: { shot: recolour('acme', tag.id), perSecond: 1 },
  }
  const taken = Object.fromEntries(
    kinds.map((kind) => [kind, { idle: [], compare: [], import: [], 'compare elsewhere': [], 'import elsewhere': [] }]),
  ) as unknown as Record<Small, Record<When, number[]>>
  const fire = async (when: When) => {
    await Promise.all(
      kinds.map(async (kind) => {
        const { shot, perSecond } = shots[kind]
        taken[kind][when].push(...(await latencies(server.origin, shot, { perSecond, millis: 2000 })))
      }),
    )
  }
  for (const kind of kinds) await requestsPerSecond(server.origin, shots[kind].shot)
  for (let round = 0; round < 4; round++) {
    await fire('idle')
    for (const heavy of heavies)
      for (const [busy, when] of [
        [served, heavy],
        [other, `${heavy} elsewhere`],
      ] as const) {
        const stop = await keepBusy(busy, heavy, text)
        await fire(when).finally(stop)
      }
  }
  return heavies.flatMap((heavy) =>
    kinds.map((kind): Row => {
      const at = (when: When, share: number) => quantile(taken[kind][when], share)
      const elsewhere = at(`${heavy} elsewhere`, 0.99).toFixed(1)
      return {
        name: `p99 of a small ${kind} during ${heavy} of 10,000, ${store}`,
        value: at(heavy, 0.99),
        floor: at('idle', 0.99),
        floorName: 'idle',
        unit: 'ms',
        note: `median ${at(heavy, 0.5).toFixed(1)}, idle ${at('idle', 0.5).toFixed(1)}; p99 where another server does it ${elsewhere}`,
        ...(kind === 'edit' ? {} : { target: { id: 'T10', of: 'ratio', atMost: 2 } }),
      }
    }),
  )
}

/** A read; a write that touches no catalog item of the tenant; an edit of the catalog itself. */
const kinds = ['read', 'write', 'edit'] as const
type Small = (typeof kinds)[number]
const heavies = ['compare', 'import'] as const
type Heavy = (typeof heavies)[number]
type When = 'idle' | Heavy | `${Heavy} elsewhere`

/** Has a thread of its own send one heavy request after another, made beforehand: it takes little of the server's processors. */
async function keepBusy({ server, base, token }: Served, heavy: Heavy, text: string): Promise<() => Promise<void>> {
  const key = 'Draws, computes'
  const requests = [0, 1].map((edition) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = () => text.replaceAll(key, `${key} ${edition}`)
    return shot(server.origin, 'POST', `${base}${admin}/catalog/${heavy}`, { headers, body }).bytes()
  })
  const workerData = { origin: server.origin, requests }
  const worker = new Worker(new URL('./keeping-busy.ts', import.meta.url), { workerData })
  const ended = new Promise<void>((resolve, reject) => worker.once('exit', () => resolve()).once('error', reject))
  await new Promise((resolve) => setTimeout(resolve, 300))
  return async () => {
    worker.postMessage('stop')
    await ended
  }
}
