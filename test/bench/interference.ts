import { Worker } from 'node:worker_threads'
import { largeCatalog } from '../support/large-catalog.ts'
import { latencies, requestsPerSecond, shot } from './load.ts'
import { type Bench, quantile, type Row } from './measuring.ts'
import { type Served, stores, withServer } from './served.ts'

const admin = '/api/v1/provision/admin'

/** What small requests wait while another client compares or imports 10,000 items, against what they wait on an idle server. */
export const benchInterference: Bench = async () => {
  const rows: Row[] = []
  for (const store of stores) rows.push(...(await withServer(store, measure)))
  return rows
}

async function measure(served: Served): Promise<Row[]> {
  const { server, base, token, store } = served
  const text = JSON.stringify(largeCatalog(10_000))
  await served.ask('POST', `${admin}/catalog/import`, text)
  const tag = JSON.parse(await served.ask('POST', `${admin}/tags`, '{"scope":"Product","name":"Measured"}'))
  const headers = { authorization: `Bearer ${token}` }
  const path = `${base}${admin}/tags/${tag.id}`
  let colour = 0
  const get = shot(server.origin, 'GET', path, { headers })
  const patch = shot(server.origin, 'PATCH', path, {
    headers: { ...headers, 'content-type': 'application/json' },
    body: () => JSON.stringify({ color: `#${(colour++ % 0xffffff).toString(16).padStart(6, '0')}` }),
  })
  const reads: Record<When, number[]> = { idle: [], compare: [], import: [] }
  const writes: Record<When, number[]> = { idle: [], compare: [], import: [] }
  const fire = async (when: When) => {
    const millis = 2000
    const [read, written] = await Promise.all([
      latencies(server.origin, get, { perSecond: 100, millis }),
      latencies(server.origin, patch, { perSecond: 20, millis }),
    ])
    reads[when].push(...read)
    writes[when].push(...written)
  }
  await requestsPerSecond(server.origin, get)
  await requestsPerSecond(server.origin, patch)
  for (let round = 0; round < 4; round++) {
    await fire('idle')
    for (const heavy of ['compare', 'import'] as const) {
      const stop = await keepBusy(served, heavy, text)
      await fire(heavy).finally(stop)
    }
  }
  return (['compare', 'import'] as const).flatMap((heavy) =>
    Object.entries({ GET: reads, PATCH: writes }).map(
      ([method, taken]): Row => ({
        name: `p99 of ${method} a tag during ${heavy} of 10,000, ${store}`,
        value: quantile(taken[heavy], 0.99),
        floor: quantile(taken.idle, 0.99),
        floorName: 'idle',
        unit: 'ms',
        note: `median ${quantile(taken[heavy], 0.5).toFixed(1)}, idle ${quantile(taken.idle, 0.5).toFixed(1)}`,
        target: { id: 'T10', of: 'ratio', atMost: 2 },
      }),
    ),
  )
}

type Heavy = 'compare' | 'import'
type When = 'idle' | Heavy

/** Has a thread of its own send one heavy request after another, so that the one that measures is not held up. */
async function keepBusy({ server, base, token }: Served, heavy: Heavy, text: string): Promise<() => Promise<void>> {
  const source = `
    const { workerData, parentPort } = require('node:worker_threads')
    const { url, token, text, key } = workerData
    let going = true
    parentPort.once('message', () => { going = false })
    ;(async () => {
      for (let round = 0; going; round++) {
        const body = text.replaceAll(key, key + ' ' + (round % 2))
        const answer = await fetch(url, { method: 'POST', headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' }, body })
        if (!answer.ok) throw new Error(await answer.text())
        await answer.arrayBuffer()
      }
      process.exit(0)
    })()`
  const worker = new Worker(source, {
    eval: true,
    workerData: { url: `${server.origin}${base}${admin}/catalog/${heavy}`, token, text, key: 'Draws, computes' },
  })
  const ended = new Promise<void>((resolve, reject) => worker.once('exit', () => resolve()).once('error', reject))
  await new Promise((resolve) => setTimeout(resolve, 300))
  return async () => {
    worker.postMessage('stop')
    await ended
  }
}
