import { compareRates, connections, latencyNote, type Shots } from './comparing.ts'
import { rateOfAll } from './load.ts'
import { alternate, type Bench, isQuick, type Row, rounds } from './measuring.ts'
import { activateDevices, activationsAt, makeProduct, newDevice, type Sold, sell } from './selling.ts'
import { type Beside, bareDatabaseOf, floorNames, type Served, startBeside, stores, withServer } from './served.ts'
import { storeSessions } from './stored-sessions.ts'
import { askOnce, inTurn, type Parts, requestOf, turning } from './turning.ts'

const sessionsInTurn = 500
const manyStored = isQuick ? 10_000 : 1_000_000
const releasedAtOnce = 1000

/** What a shipped application asks, a second, durable: against raw code with one transaction a request, and with a million sessions stored. */
export const benchActivations: Bench = async () => {
  const rows: Row[] = []
  for (const store of stores) rows.push(...(await withServer(store, measure)), ...(await measureStored(store)))
  return rows
}

type Kind = 'activation, a new seat' | 'activation, the same seat' | 'renew' | 'check-in'
export const kinds: readonly Kind[] = ['activation, a new seat', 'activation, the same seat', 'renew', 'check-in']

async function measure(served: Served): Promise<Row[]> {
  const { store } = served
  const bare = await startBeside('bare-sessions.ts', bareDatabaseOf(served))
  try {
    const sold = await sell(served, await makeProduct(served))
    const ours = await shotsAtLicet(served.server.origin, served.base, sold)
    const rows = await compareRates(kinds, ours, await shotsAtBare(bare), async (kind, rate) => ({
      name: `${kind}, ${store}`,
      floorName: floorNames[store],
      ...(kind === 'activation, a new seat' ? {} : { target: { id: 'T3', of: 'ratio', atLeast: 3 } }),
      note: await latencyNote(ours[kind], rate),
    }))
    rows.push(await measureReleases(served, sold, bare))
    return rows
  } finally {
    bare.stop()
  }
}

/** A server with a million sessions stored beside one with none. */
const measureStored = (store: Served['store']) =>
  withServer(store, (full) =>
    withServer(store, async (empty) => {
      const soldAt = async (served: Served) => sell(served, await makeProduct(served))
      const [sold, other] = [await soldAt(full), await soldAt(empty)]
      await storeSessions(full, { ...sold, tenantId: full.tenantId }, manyStored)
      const ours = await shotsAtLicet(full.server.origin, full.base, sold)
      const floors = await shotsAtLicet(empty.server.origin, empty.base, other)
      return compareRates(kinds, ours, floors, (kind) => ({
        name: `${kind}, a million stored, ${store}`,
        floorName: 'itself with none stored',
        target: { id: 'T14', of: 'ratio', atLeast: 0.9 },
      }))
    }),
  )

/** Sessions made for it, and given back once each. */
async function measureReleases({ server, base, store }: Served, sold: Sold, bare: Beside): Promise<Row> {
  const ours = async () => {
    const sessions = await activateDevices(server.origin, base, sold, releasedAtOnce)
    const requests = sessions.map(({ id, token }) =>
      requestOf(server.origin, { path: `${activationsAt(base)}/${id}/release`, token }),
    )
    return rateOfAll(server.origin, requests, connections)
  }
  const floor = async () => {
    const sessions = await activateAtBare(bare, releasedAtOnce)
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

const activateAtBare = ({ origin }: Beside, count: number) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const fingerprint = newDevice()
      const { session } = await askOnce(origin, { path: '/activate', body: { fingerprint } })
      return { id: session.id as string, fingerprint }
    }),
  )

/** What devices with sessions, and new ones, ask a server at a tenant's base URL. */
export async function shotsAtLicet(origin: string, base: string, sold: Sold): Promise<Shots<Kind>> {
  const activations = activationsAt(base)
  const known = await activateDevices(origin, base, sold, sessionsInTurn)
  const [same, renewing, checking] = [inTurn(known), inTurn(known), inTurn(known)]
  const ask = (parts: () => Parts) => turning(origin, parts)
  const body = (fingerprint: string) => ({ activationCode: sold.code, fingerprint })
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

async function shotsAtBare(bare: Beside): Promise<Shots<Kind>> {
  const { origin } = bare
  const known = await activateAtBare(bare, sessionsInTurn)
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
