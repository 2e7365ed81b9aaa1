import { provision } from '../../server/kit/contract.ts'
import type { Shots } from './comparing.ts'
import { activateDevices, type Device, makeProduct, type Sold, sell } from './selling.ts'
import type { Served } from './served.ts'
import { askOnce, inTurn, type Parts, turning } from './turning.ts'

const metric = 'calls'
const devicesOfOne = 64
const sellers = 4

/** How many meters are many. */
export const manyMeters = 500

/** Records in an upload. */
export const batchSize = 1000

const deeds = ['try-consume', 'try-preallocate', 'usage read', 'upload'] as const
type Deed = (typeof deeds)[number]

/** On whose meters: all devices on the one of a single entitlement, or each on that of its own. */
type Spread = 'one meter' | 'many meters'
const spreads = ['one meter', 'many meters'] as const

/** What is measured of metering. */
export type MeteredKind = `${Deed}, ${Spread}`
export const meteredKinds = deeds.flatMap((deed) => spreads.map((spread): MeteredKind => `${deed}, ${spread}`))

/** Whoever asks: the id in the path, and the token. */
type Asker = Pick<Device, 'id'> & Partial<Device>

/** Those who ask, in turn. */
export type Fleet = Record<Spread, readonly Asker[]>

/** What was sold with a meter each. */
export interface MeteredSold {
  'one meter': Sold
  'many meters': readonly Sold[]
}

/** Sells entitlements with a meter of three tiers, of which the first never ends here. */
export async function sellMetered(served: Served): Promise<MeteredSold> {
  const productId = await makeProduct(served)
  const usageTiers = [
    { name: 'Included', startUsage: 0, endUsage: 1e12, quotaUsageLevel: 'Normal' },
    {
      ...{ name: 'Overage', startUsage: 1e12, endUsage: 1e13, quotaUsageLevel: 'Warning' },
      quotaUsagePolicy: 'AllowWithOverage',
    },
    { name: 'Closed', startUsage: 1e13, quotaUsageLevel: 'OverUsage', quotaUsagePolicy: 'Deny' },
  ]
  const asset = { productId, metricName: metric, name: 'Calls', unit: 'calls', meteredUsage: { usageTiers } }
  await served.ask('POST', `${provision}/admin/monitored-assets`, JSON.stringify(asset))
  const sellMany = async () => {
    const some: Sold[] = []
    while (some.length < manyMeters / sellers) some.push(await sell(served, productId))
    return some
  }
  return {
    'one meter': await sell(served, productId),
    'many meters': (await Promise.all(Array.from({ length: sellers }, sellMany))).flat(),
  }
}

/** Activates the devices that ask a server: a token is good at the one origin that issued it. */
export async function activateFleet(origin: string, base: string, sold: MeteredSold): Promise<Fleet> {
  const ofMany = sold['many meters'].map((each) => activateDevices(origin, base, each, 1))
  const fleet = {
    'one meter': await activateDevices(origin, base, sold['one meter'], devicesOfOne),
    'many meters': (await Promise.all(ofMany)).flat(),
  }
  await proveThatItCounts(origin, base, fleet['one meter'][0]!)
  return fleet
}

/** What is asked of a server by a fleet, at a tenant's base URL; the same bytes for licet and for its floors. */
export function meteredShots(origin: string, base: string, fleet: Fleet): Shots<MeteredKind> {
  const shots = meteredKinds.map((kind) => {
    const [deed, spread] = kind.split(', ') as [Deed, Spread]
    const next = inTurn(fleet[spread])
    return [kind, turning(origin, () => askedOf[deed](base, next()))] as const
  })
  return Object.fromEntries(shots) as Shots<MeteredKind>
}

/** The request of each deed. */
const askedOf: Record<Deed, (base: string, asker: Asker) => Parts> = {
  'try-consume': (base, { id, token }) => ({
    path: `${base}${provision}/usage/try-consume/${id}/${metric}?amount=1&idempotentKey=key-${number++}`,
    token,
  }),
  'try-preallocate': (base, { id, token }) => ({
    path: `${base}${provision}/usage/try-preallocate/${id}/${metric}?amount=1`,
    token,
  }),
  'usage read': (base, { id, token }) => ({
    method: 'GET',
    path: `${base}${provision}/usage/${id}/${metric}/usage`,
    token,
  }),
  upload: (base, { id, token }) => ({
    path: `${base}${provision}/usage/sessions/${id}/transactions`,
    token,
    body: newBatch(id),
  }),
}

/** Of keys and of transaction ids, which no two requests share. */
let number = 1

/** Records of usage a moment ago, written out. */
function newBatch(sessionId: string): string {
  const occurredAt = new Date(Date.now() - 1000).toISOString()
  const rest = JSON.stringify({
    ...{ sessionId, apiVersion: 1, creationDateTime: occurredAt, eventName: 'UsageReported' },
    eventData: JSON.stringify({ metricName: metric, amount: 1, occurredAt }),
  }).slice(1)
  return `[${Array.from({ length: batchSize }, () => `{"transactionId":${number++},${rest}`).join()}]`
}

/** A refusal is 200 too: what is measured is to be what is accepted. */
async function proveThatItCounts(origin: string, base: string, device: Asker): Promise<void> {
  const { allowed, reason } = await askOnce(origin, askedOf['try-consume'](base, device))
  const { processed, rejected } = await askOnce(origin, askedOf.upload(base, device))
  if (!allowed || processed !== batchSize)
    throw new Error(`nothing is counted: ${reason}, ${processed} processed, rejected ${JSON.stringify(rejected?.[0])}`)
}

/** A usage read of a fleet's, and what it is answered. */
export const readOnce = (origin: string, base: string, fleet: Fleet) =>
  askOnce(origin, askedOf['usage read'](base, fleet['one meter'][0]!))
