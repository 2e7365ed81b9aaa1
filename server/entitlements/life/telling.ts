import type { entitlementStatuses } from '../../../catalog-schema/enumerations.ts'
import { toInstant, toNullableInstant } from '../../kit/instants.ts'
import type { Happening } from '../../kit/outbox.ts'
import type { EntitlementRow } from '../entitlements/loading.ts'
import { subscriptionStatusOf } from './standing.ts'
import { isTrial, trialEndOf } from './trials.ts'

/** What every event of an entitlement tells of it: what a receiver acts on without asking back, never tags, codes or keys. */
export const standingData = (row: EntitlementRow) => ({
  entitlementId: row.id,
  name: row.name,
  version: row.version,
  status: row.status as (typeof entitlementStatuses)[number],
  subscriptionStatus: subscriptionStatusOf(row),
  customerId: row.customer_id,
  customerExternalReference: row.customer_external_reference,
  externalReference: row.external_reference,
  orderId: row.order_id,
  planSetId: row.assigned_plan_set_id,
  planName: row.assigned_plan_name,
  isTrial: isTrial(row),
  trialEndsAt: toNullableInstant(trialEndOf(row)),
  expirationDateTime: toNullableInstant(row.expiration_date_time),
})

/** An event of an entitlement as it stands, of a type that tells no more than that. */
export const tell = (
  type: 'Entitlement.Activated' | 'Entitlement.Expiring' | 'Entitlement.TrialExpiring' | 'Entitlement.Cancelled',
  row: EntitlementRow,
): Happening => ({ type, entityId: row.id, data: standingData(row) })

/** That a renewal began a period of the entitlement, from when until when (milliseconds; null: without end). */
export const tellRenewed = (row: EntitlementRow, start: number, end: number | null): Happening => ({
  type: 'Entitlement.Renewed',
  entityId: row.id,
  data: { ...standingData(row), periodStart: toInstant(start), periodEnd: toNullableInstant(end) },
})
