import type { Tx } from '../../database/database.ts'
import { RecentlyUsed } from '../../kit/recently-used.ts'
import { type DeliveryRow, pendingDelivery } from '../deliveries/pending.ts'
import { insertDeliveries } from '../deliveries/store.ts'
import { attributesOf, type EventRow } from '../signing/envelope.ts'
import { isWanted, type SubscriptionFilter } from '../subscriptions/matching.ts'
import { holdSubscriptions, markDispatched, type SubscriptionRow, takeEvents } from './store.ts'

/** How many events are handed out in one go, and about how many deliveries that may make. */
const mostEvents = 500
const mostDeliveries = 2000

/** What a subscription wants, read once for each revision of it. */
const wants = new RecentlyUsed<{ eventTypes: string[]; filter: SubscriptionFilter }>(1000)

/**
 * Hands all events of a tenant so far to the subscriptions that want them, before one of these becomes another: what it is
 * told of goes by what it was when that happened. Before the subscription is locked, for events are locked first.
 */
export async function fanOutAll(tx: Tx, tenantId: string): Promise<void> {
  while ((await fanOut(tx, tenantId)).isMore);
}

/** Hands events (of any tenant, or of one) that nobody was handed to the subscriptions that want them, as deliveries due from then on; answers which, and whether there may be more. */
export async function fanOut(tx: Tx, tenantId?: string): Promise<{ handed: EventRow[]; isMore: boolean }> {
  const taken = await takeEvents(tx, mostEvents, tenantId)
  if (taken.length === 0) return { handed: [], isMore: false }
  const subscriptions = Map.groupBy(
    await holdSubscriptions(tx, [...new Set(taken.map((event) => event.tenant_id))]),
    (subscription) => subscription.tenant_id,
  )
  const deliveries: DeliveryRow[] = []
  const handed: EventRow[] = []
  for (const event of taken) {
    if (deliveries.length >= mostDeliveries) break
    deliveries.push(...deliveriesOf(event, subscriptions.get(event.tenant_id) ?? []))
    handed.push(event)
  }
  await insertDeliveries(tx, deliveries)
  await markDispatched(
    tx,
    handed.map(({ id }) => id),
  )
  return { handed, isMore: handed.length < taken.length || taken.length === mostEvents }
}

function deliveriesOf(event: EventRow, subscriptions: readonly SubscriptionRow[]): DeliveryRow[] {
  if (subscriptions.length === 0) return []
  const seen = { attributes: attributesOf(event), data: JSON.parse(event.data) as unknown }
  return subscriptions
    .filter((subscription) => isWanted(wantsOf(subscription), seen))
    .map(({ id }) => pendingDelivery(event, id))
}

function wantsOf({ id, revision_number, event_types, filter }: SubscriptionRow) {
  const name = `${id}/${revision_number}`
  const known = wants.get(name)
  if (known) return known
  const read = { eventTypes: JSON.parse(event_types) as string[], filter: JSON.parse(filter) as SubscriptionFilter }
  wants.set(name, read)
  return read
}
