import type { Readable } from '../../database/database.ts'
import { parseExactly } from '../../kit/decimal.ts'
import { toInstant, toNullableInstant } from '../../kit/instants.ts'
import type { Page } from '../../kit/page.ts'
import { listRows } from '../../kit/records/plain-list.ts'
import { attributesOf } from '../signing/envelope.ts'
import type { DeliveryListQuery, DeliveryRecord } from './contract.ts'
import { deliveryFilterFields } from './filter-fields.ts'
import type { DeliveryRow } from './pending.ts'
import { deliveriesOf, getDelivery, getEvent, listAttempts, type Outcome, readLastOutcomes } from './store.ts'

/** A page of a tenant's deliveries as they are answered, the newest first unless a sortOrder says otherwise. */
export async function answerDeliveries(
  read: Readable,
  tenantId: string,
  { subscriptionId, status, eventType, ...query }: DeliveryListQuery,
): Promise<Page<DeliveryRecord>> {
  const terms = Object.entries({ subscriptionId, status, eventType }).filter(([, value]) => value !== undefined)
  const filter = [...(query.filter ? [query.filter] : []), ...terms.map(([name, value]) => `${name}==${value}`)].join(
    ',',
  )
  const asked = { ...query, filter }
  const page = await listRows(deliveriesOf(read, tenantId), deliveryFilterFields, '-createdAt', asked)
  const outcomes = await readLastOutcomes(
    read,
    page.items.map(({ id }) => id),
  )
  return { ...page, items: page.items.map((row) => toWire(row, outcomes.get(row.id))) }
}

/** A delivery as lists have it; throws the not-found problem. */
export async function answerDelivery(read: Readable, tenantId: string, id: string): Promise<DeliveryRecord> {
  const row = await getDelivery(read, tenantId, id)
  return toWire(row, (await readLastOutcomes(read, [row.id])).get(row.id))
}

/** A delivery with the envelope that is sent, every digit of its numbers included, and its attempts; throws the not-found problem. */
export async function answerWithAttempts(read: Readable, tenantId: string, id: string) {
  const row = await getDelivery(read, tenantId, id)
  const [event, attempts] = [await getEvent(read, row), await listAttempts(read, row.id)]
  return {
    ...toWire(row, attempts.at(-1)),
    correlationId: event.correlation_id,
    event: { ...attributesOf(event), data: parseExactly(event.data) },
    attempts: attempts.map((made) => ({
      attempt: made.attempt,
      at: toInstant(made.attempted_at),
      latencyMillis: made.latency_millis,
      status: made.status,
      error: made.error,
      responseExcerpt: made.response_excerpt,
    })),
  }
}

const toWire = (row: DeliveryRow, last: Outcome | undefined): DeliveryRecord => ({
  id: row.id,
  subscriptionId: row.subscription_id,
  eventId: row.event_id,
  eventType: row.event_type,
  status: row.status,
  attemptCount: row.attempts,
  lastStatus: last?.status ?? null,
  lastError: last?.error ?? null,
  createdAt: toInstant(row.created_at),
  nextAttemptAt: toNullableInstant(row.next_attempt_at),
  endedAt: toNullableInstant(row.ended_at),
})
