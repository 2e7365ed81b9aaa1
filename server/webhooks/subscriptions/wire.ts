import { toNullableInstant } from '../../kit/instants.ts'
import { tailOf } from '../../kit/records/answers.ts'
import type { SubscriptionRecord } from './contract.ts'
import { subscriptionKind } from './fields.ts'
import type { FaringSubscription } from './store.ts'

/** A subscription as it is answered. */
export const toWire = (row: FaringSubscription): SubscriptionRecord => ({
  id: row.id,
  ...subscriptionKind.toItem(row, {}),
  lastDeliveryAt: toNullableInstant(row.last_delivery_at),
  consecutiveFailures: row.consecutive_failures,
  ...tailOf(row),
})
