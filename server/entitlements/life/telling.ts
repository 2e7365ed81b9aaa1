import { toInstant } from '../../kit/clock.ts'
import type { Happening } from '../../kit/outbox.ts'
import type { EventType } from '../../vocabulary/events.ts'
import type { EntitlementRow } from '../entitlements/loading.ts'
import { subscriptionStatusOf } from './standing.ts'
import { isTrial, trialEndOf } from './trials.ts'

/** An event of an entitlement as it stands: what a receiver acts on without asking back, never tags, codes or keys. */
export const tell = (type: EventType, row: EntitlementRow, more: Record<string, unknown> = {}): Happening => ({
  type,
  entityId: row.id,
  data: {
    entitlementId: row.id,
    name: row.name,
    version: row.version,
    status: row.status,
    subscriptionStatus: subscriptionStatusOf(row),
    customerId: row.customer_id,
    customerExternalReference: row.customer_external_reference,
    externalReference: row.external_reference,
    orderId: row.order_id,
    planSetId: row.assigned_plan_set_id,
    planName: row.assigned_plan_name,
    isTrial: isTrial(row),
    trialEndsAt: instantOrNull(trialEndOf(row)),
    expirationDateTime: instantOrNull(row.expiration_date_time),
    ...more,
  },
})

/** The period that a renewal began, for its event. */
export const periodOf = (start: number, end: number | null) => ({
  periodStart: toInstant(start),
  periodEnd: instantOrNull(end),
})

const instantOrNull = (at: number | null) => (at === null ? null : toInstant(at))
