import type { ColumnField } from '../../kit/filter/fields.ts'
import { subscriptionKind } from './fields.ts'

const table = 'webhook_subscriptions'

/** What subscriptions are filtered and sorted by: their own fields, and how they fare. */
export const listedFields: readonly ColumnField[] = [
  ...subscriptionKind.filterFields,
  { name: 'lastDeliveryAt', column: `${table}.last_delivery_at`, nullable: true, type: 'instant' },
  { name: 'consecutiveFailures', column: `${table}.consecutive_failures`, nullable: false, type: 'integer' },
]
