import { endOf, seatLimit } from '../entitlement-standing.ts'
import { type ChosenEnvironment, environmentName } from '../environments/choosing.ts'
import { Problem } from '../problems.ts'
import { duringPhase } from '../progress.ts'
import { isRecordId } from '../record-ids.ts'
import { foreignAnswer } from '../server-connection/answer-body.ts'
import { holdsText, isOneOf, isText, mostIds } from '../sieve-terms.ts'
import { countSeats, sessionsReadScope } from './seats.ts'
import { type AdminClient, adminClient, type Entitlement } from './tenant-records.ts'

/** An entitlement that was found: what tells it from the others, and how it stands. */
export interface FoundEntitlement {
  id: string
  name: string
  status: Entitlement['status']
  subscriptionStatus: Entitlement['subscriptionStatus']
  plan: string | null
  /** `limit` is null where there is none. */
  seats: { taken: number; limit: number | null }
  /** Its end as it stands now: its expiry, or its trial's end when that is sooner. */
  endsAt: string | null
  customer: { id: string; name: string } | null
  orderId: string | null
}

/** The scopes that a search needs. */
const searchScopes = ['admin.entitlements:read', 'admin.customers:read', 'admin.users:read', sessionsReadScope]

const namesOf = {
  entitlement: [
    'name',
    'customerContactEmail',
    'customerContactName',
    'customerExternalReference',
    'orderId',
    'reference',
    'externalReference',
    'licenseKey',
  ],
  customer: ['name', 'email', 'externalReference'],
  user: ['email', 'displayName', 'externalReference'],
  session: ['deviceName', 'email'],
}
const idsOf = { entitlement: ['id', 'customerId'], user: ['id'], session: ['id', 'userId', 'fingerprint'] }

/** The most customers, users or sessions by which entitlements are found: the sessions of three lists go into one filter. */
const mostOthers = Math.floor(mostIds / 3)

/**
 * The entitlements that a text leads to, the newest first: by what they are called, whose they are, who uses them and on
 * which device, by its whole fingerprint too; or by an id of any of these. `more` says that there are others, or that too
 * many things have that text.
 */
export async function findEntitlements(
  environment: ChosenEnvironment,
  text: string,
  limit: number,
): Promise<{ entitlements: FoundEntitlement[]; more: boolean }> {
  if (text.trim() === '') throw new Problem('cli.usage', 'The text to search for is empty.')
  const client = adminClient(environment, ...searchScopes)
  return duringPhase(`Searching ${environmentName(environment)}`, async () => {
    const { records, more } = await search(client, text, limit, environment.url)
    return { entitlements: await describe(client, records), more }
  })
}

async function search(client: AdminClient, text: string, limit: number, url: string) {
  const isId = isRecordId(text.trim())
  const newest = { sortOrder: '-createdAt', pageSize: limit }
  const entitlementsWith = (term: string) =>
    client.entitlements.list.query({ filter: `isOffer==false,${term}`, ...newest })
  const sessionsWith = (filter: string) =>
    client.sessions.list.query({ filter, sortOrder: '-lastAccessTime', pageSize: mostOthers })
  const term = (names: readonly string[], ids: readonly string[]) => (isId ? isText(ids, text) : holdsText(names, text))
  const none = { items: [], hasNextPage: false }

  const [direct, customers, users, devices, device] = await Promise.all([
    entitlementsWith(term(namesOf.entitlement, idsOf.entitlement)),
    isId ? none : client.customers.list.query({ filter: holdsText(namesOf.customer, text), pageSize: mostOthers }),
    client.users.list.query({ filter: term(namesOf.user, idsOf.user), pageSize: mostOthers }),
    sessionsWith(term(namesOf.session, idsOf.session)),
    // Not by a part of it: of many fingerprints some hold any number.
    isId ? none : sessionsWith(isText(['fingerprint'], text)),
  ])
  if ([direct, customers, users, devices, device].some((page) => !Array.isArray(page?.items))) throw foreignAnswer(url)
  const [bought, used, assigned] = await Promise.all([
    customers.items.length === 0 ? none : entitlementsWith(isOneOf('customerId', idsIn(customers.items))),
    users.items.length === 0 ? none : sessionsWith(isOneOf('userId', idsIn(users.items))),
    users.items.length === 0 ? none : entitlementsWith(isOneOf('principalIds', idsIn(users.items))),
  ])
  const sessions = [...devices.items, ...device.items, ...used.items]
  const ofSessions = [...new Set(sessions.map(({ entitlementId }) => entitlementId))]
  const inUse = ofSessions.length === 0 ? none : await entitlementsWith(isOneOf('id', ofSessions))

  const lists = [direct, bought, assigned, inUse, customers, users, devices, device, used]
  const found = new Map([direct, bought, assigned, inUse].flatMap(({ items }) => items).map((one) => [one.id, one]))
  const records = [...found.values()].sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))
  return {
    records: records.slice(0, limit),
    more: records.length > limit || lists.some(({ hasNextPage }) => hasNextPage),
  }
}

async function describe(client: AdminClient, records: readonly Entitlement[]): Promise<FoundEntitlement[]> {
  const customerIds = [...new Set(records.flatMap(({ customerId }) => customerId ?? []))]
  const [customers, taken] = await Promise.all([
    customerIds.length === 0
      ? []
      : client.customers.list
          .query({ filter: isOneOf('id', customerIds), pageSize: customerIds.length })
          .then(({ items }) => items),
    Promise.all(records.map(({ id }) => countSeats(client, id))),
  ])
  const nameOf = new Map(customers.map(({ id, name }) => [id, name]))
  return records.map((record, at) => ({
    id: record.id,
    name: record.name,
    status: record.status,
    subscriptionStatus: record.subscriptionStatus,
    plan: record.assignedPlanName,
    seats: { taken: taken[at]!, limit: seatLimit(record) },
    endsAt: endOf(record),
    customer: record.customerId === null ? null : { id: record.customerId, name: nameOf.get(record.customerId) ?? '' },
    orderId: record.orderId,
  }))
}

const idsIn = (records: readonly { id: string }[]) => records.map(({ id }) => id)
