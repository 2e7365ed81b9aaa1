import { latencies, rateOfAll, requestsPerSecond, type Shot } from './load.ts'
import { alternate, type Bench, quantile, type Row } from './measuring.ts'
import { type Beside, type Served, startBeside, stores, withServer } from './served.ts'
import { storeSessions } from './stored-sessions.ts'

const provision = '/api/v1/provision'
const rounds = 5
const connections = 64
const sessionsInTurn = 500
const manyStored = 1_000_000
const releasedAtOnce = 1000

/** What a shipped application asks, a second, durable: against raw code with one transaction a request, and with a million sessions stored. */
export const benchActivations: Bench = async () => {
  const rows: Row[] = []
  for (const store of stores) rows.push(...(await withServer(store, measure)))
  return rows
}

/** An entitlement with a code that anybody may activate, any number of times. */
interface Sold {
  entitlementId: string
  codeId: string
  code: string
}

type Kind = 'activation, a new seat' | 'activation, the same seat' | 'renew' | 'check-in'
export const kinds: readonly Kind[] = ['activation, a new seat', 'activation, the same seat', 'renew', 'check-in']

async function measure(served: Served): Promise<Row[]> {
  const { databaseUrl } = served
  const bare = await startBeside(
    'bare-sessions.ts',
    databaseUrl.startsWith('sqlite:') ? `${databaseUrl}.bare` : databaseUrl,
  )
  try {
    const sold = await sell(served)
    const ours = await shotsAtLicet(served, sold)
    const floors = await shotsAtBare(bare)
    const rows: Row[] = []
    const rates = {} as Record<Kind, number>
    for (const kind of kinds) {
      const rateOf = (shot: Shot) => () => requestsPerSecond(shot.origin, shot, { connections })
      await rateOf(ours[kind])()
      const rate = await alternate(rounds, { ours: rateOf(ours[kind]), floor: rateOf(floors[kind]) })
      rates[kind] = rate.ours
      rows.push({
        ...{ name: `${kind}, ${served.store}`, value: rate.ours, floor: rate.floor, unit: '/s' },
        floorName: floorNames[served.store],
        ...(kind === 'activation, a new seat' ? {} : { target: { id: 'T3', of: 'ratio', atLeast: 3 } }),
        note: await latencyNote(ours[kind], rate.ours),
      })
    }
    rows.push(await measureReleases(served, sold, bare))
    await storeSessions(served, { ...sold, tenantId: served.tenantId }, manyStored)
    for (const kind of kinds) {
      const again = await alternate(rounds, {
        ours: () => requestsPerSecond(ours[kind].origin, ours[kind], { connections }),
      })
      rows.push({
        ...{ name: `${kind}, a million stored, ${served.store}`, value: again.ours, floor: rates[kind], unit: '/s' },
        floorName: 'itself with none stored',
        target: { id: 'T14', of: 'ratio', atLeast: 0.9 },
      })
    }
    return rows
  } finally {
    bare.stop()
  }
}

/** Sessions made for it, and given back once each. */
async function measureReleases(served: Served, { code }: Sold, bare: Beside): Promise<Row> {
  const { server, base, store } = served
  const activations = `${base}${provision}/activations`
  const ours = async () => {
    const sessions = await Promise.all(
      Array.from({ length: releasedAtOnce }, () => activateAt(server.origin, activations, code)),
    )
    const requests = sessions.map(({ id, token }) =>
      requestOf(server.origin, { path: `${activations}/${id}/release`, token }),
    )
    return rateOfAll(server.origin, requests, connections)
  }
  const floor = async () => {
    const sessions = await Promise.all(Array.from({ length: releasedAtOnce }, () => activateAtBare(bare)))
    return rateOfAll(
      bare.origin,
      sessions.map(({ id }) => requestOf(bare.origin, { path: `/release/${id}` })),
      connections,
    )
  }
  await ours()
  const rate = await alternate(rounds, { ours, floor })
  return {
    ...{ name: `release, ${store}`, value: rate.ours, floor: rate.floor, unit: '/s' },
    floorName: floorNames[store],
  }
}

const floorNames = {
  sqlite: 'raw code, one FULL transaction each',
  postgres: 'a Kysely transaction each, pool 10',
}

/** How long one takes at a third of the rate that is possible. */
async function latencyNote(shot: Shot, possible: number): Promise<string> {
  const taken = await latencies(shot.origin, shot, { perSecond: Math.min(1000, possible / 3), millis: 1500 })
  return `p50 ${quantile(taken, 0.5).toFixed(1)} ms, p99 ${quantile(taken, 0.99).toFixed(1)} ms`
}

/** Sells an entitlement without a limit of seats. */
export async function sell({ ask }: Served): Promise<Sold> {
  const admin = `${provision}/admin`
  const product = JSON.parse(
    await ask(
      'POST',
      `${admin}/products`,
      JSON.stringify({ name: 'Bench', productCode: 'BENCH', features: [{ featureCode: 'SEATS', value: '5' }] }),
    ),
  )
  const entitlement = JSON.parse(
    await ask('POST', `${admin}/entitlements`, JSON.stringify({ name: 'Bench', status: 'Active' })),
  )
  await ask('POST', `${admin}/entitlements/${entitlement.id}/products/${product.id}`)
  const code = JSON.parse(await ask('POST', `${admin}/entitlements/${entitlement.id}/activation-codes`, '{}'))
  return { entitlementId: entitlement.id, codeId: code.id, code: code.activationCode }
}

let devices = 0
const newDevice = () => `device-${devices++}-${process.pid}`

interface Parts {
  path: string
  token?: string
  body?: object
}

function requestOf(origin: string, { path, token, body }: Parts): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body)
  const head = [`POST ${path} HTTP/1.1`, `host: ${new URL(origin).host}`, 'accept: application/json']
  head.push(`content-length: ${text.length}`)
  if (token !== undefined) head.push(`authorization: Bearer ${token}`)
  if (body !== undefined) head.push('content-type: application/json')
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${text}`)
}

/** A shot that is another one each time: `parts` says path, token and body of the next. */
const turning = (origin: string, parts: () => Parts): Shot => ({
  origin,
  status: 200,
  bytes: () => requestOf(origin, parts()),
})

async function post(url: string, body: object) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await answer.json()) as { token: string; session: { id: string } }
}

async function activateAt(origin: string, activations: string, activationCode: string) {
  const fingerprint = newDevice()
  const { token, session } = await post(`${origin}${activations}/license`, { activationCode, fingerprint })
  return { token, id: session.id, fingerprint }
}

async function activateAtBare({ origin }: Beside) {
  const fingerprint = newDevice()
  const { session } = await post(`${origin}/activate`, { fingerprint })
  return { id: session.id, fingerprint }
}

function inTurn<T>(values: readonly T[]): () => T {
  let next = 0
  return () => values[next++ % values.length]!
}

/** What devices with sessions, and new ones, ask a server. */
export async function shotsAtLicet({ server, base }: Served, { code }: Sold): Promise<Record<Kind, Shot>> {
  const activations = `${base}${provision}/activations`
  const known = await Promise.all(
    Array.from({ length: sessionsInTurn }, () => activateAt(server.origin, activations, code)),
  )
  const [same, renewing, checking] = [inTurn(known), inTurn(known), inTurn(known)]
  const ask = (parts: () => Parts) => turning(server.origin, parts)
  const body = (fingerprint: string) => ({ activationCode: code, fingerprint })
  return {
    'activation, a new seat': ask(() => ({ path: `${activations}/jwt`, body: body(newDevice()) })),
    'activation, the same seat': ask(() => ({ path: `${activations}/jwt`, body: body(same().fingerprint) })),
    renew: ask(() => {
      const { id, token } = renewing()
      return { path: `${activations}/${id}/renew`, token }
    }),
    'check-in': ask(() => {
      const { id, token } = checking()
      return { path: `${activations}/${id}/check-in`, token }
    }),
  }
}

async function shotsAtBare(bare: Beside): Promise<Record<Kind, Shot>> {
  const { origin } = bare
  const known = await Promise.all(Array.from({ length: sessionsInTurn }, () => activateAtBare(bare)))
  const next = inTurn(known)
  return {
    'activation, a new seat': turning(origin, () => ({ path: '/activate', body: { fingerprint: newDevice() } })),
    'activation, the same seat': turning(origin, () => ({
      path: '/activate',
      body: { fingerprint: next().fingerprint },
    })),
    renew: turning(origin, () => ({ path: `/renew/${next().id}` })),
    'check-in': turning(origin, () => ({ path: `/check-in/${next().id}` })),
  }
}
