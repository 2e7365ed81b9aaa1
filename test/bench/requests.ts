import { requestsPerSecond, type Shot, shot } from './load.ts'
import { alternate, type Bench, cpuSecondsOf, isQuick, type Row, rounds, type Target } from './measuring.ts'
import { type Served, startBeside, stores, withServer } from './served.ts'

const tags = '/api/v1/provision/admin/tags'

/** Long enough that either side runs compiled code: what is measured is a server that has been up for a while. */
const warmUp = { millis: isQuick ? 100 : 2000 }
const round = { millis: isQuick ? 100 : 1000 }

/** Small requests a second over 32 connections, against bare Fastify doing the one SQL statement on the same database. */
export const benchRequests: Bench = async () =>
  (await Promise.all(stores.map((store) => () => withServer(store, measure)))).reduce(
    async (rows, run) => [...(await rows), ...(await run())],
    Promise.resolve([] as Row[]),
  )

let created = 0
const newTag = () => JSON.stringify({ scope: 'Product', name: `tag ${created++}`, color: '#1a2b3c' })

async function measure(served: Served): Promise<Row[]> {
  const { server, base, token, client, databaseUrl, tenantId, store } = served
  const bare = await startBeside('bare-server.ts', databaseUrl, tenantId)
  const oidc = await startBeside('oidc-server.ts')
  try {
    const made = JSON.parse(await served.ask('POST', tags, newTag()))
    for (let more = 0; more < 30; more++) await served.ask('POST', tags, newTag())
    const headers = { authorization: `Bearer ${token}` }
    const json = { 'content-type': 'application/json' }
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const basic = `Basic ${Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')}`
    const grant = () => 'grant_type=client_credentials'
    const pairs: [name: string, ours: Shot, floor: Shot, floorName: string, target?: Target][] = [
      [
        'get a tag',
        shot(server.origin, 'GET', `${base}${tags}/${made.id}`, { headers }),
        shot(bare.origin, 'GET', `/tags/${made.id}`),
        'bare Fastify, one select',
      ],
      [
        'list 25 tags',
        shot(server.origin, 'GET', `${base}${tags}?pageSize=25`, { headers }),
        shot(bare.origin, 'GET', '/tags'),
        'bare Fastify, one select',
      ],
      [
        'create a tag, durable',
        shot(server.origin, 'POST', `${base}${tags}`, { headers: { ...headers, ...json }, body: newTag }),
        shot(bare.origin, 'POST', '/tags', { headers: json, body: newTag }),
        'bare Fastify, one insert',
      ],
      [
        'client_credentials token',
        shot(server.origin, 'POST', `${base}/auth/connect/token`, {
          headers: { ...form, authorization: basic },
          body: grant,
        }),
        shot(oidc.origin, 'POST', '/token', {
          headers: { ...form, authorization: `Basic ${btoa('bench:bench-secret-0123456789-0123456789')}` },
          body: grant,
        }),
        "npm's oidc-provider, ES256 JWT, all in memory",
        { id: 'T6', of: 'ratio', atLeast: 1.5 },
      ],
    ]
    const rows: Row[] = []
    for (const [name, ours, floor, floorName, target] of pairs) {
      await requestsPerSecond(server.origin, ours, warmUp)
      await requestsPerSecond(floor.origin, floor, warmUp)
      const cpu = { used: 0, answered: 0 }
      const ourRate = async () => {
        const before = cpuSecondsOf(server.process.pid!)
        const begun = performance.now()
        const rate = await requestsPerSecond(server.origin, ours, round)
        cpu.answered += (rate * (performance.now() - begun)) / 1000
        cpu.used += cpuSecondsOf(server.process.pid!) - before
        return rate
      }
      const floorRate = () => requestsPerSecond(floor.origin, floor, round)
      const rate = await alternate(rounds, { ours: ourRate, floor: floorRate })
      rows.push({
        name: `${name}, ${store}`,
        value: rate.ours,
        floor: rate.floor,
        floorName,
        unit: '/s',
        note: `${Math.round((cpu.used / cpu.answered) * 1e6)} µs CPU each`,
        ...(target ? { target } : {}),
      })
    }
    return rows
  } finally {
    bare.stop()
    oidc.stop()
  }
}
