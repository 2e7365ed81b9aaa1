import type { ColumnField } from '../../kit/filter/fields.ts'
import { events } from '../../vocabulary/events.ts'
import { deliveryStatuses } from './status.ts'
import { ofLastAttempt } from './store.ts'

const column = (name: string, column: string, nullable = false) => ({
  name,
  column: `webhook_deliveries.${column}`,
  nullable,
})

/** What came of the last attempt that was ever made. */
const last = (name: string, column: 'status' | 'error') => ({
  ...{ name, column: `last_${column}`, nullable: true },
  workedOut: ofLastAttempt(column),
})

/** What deliveries are filtered and sorted by. */
export const deliveryFilterFields: readonly [ColumnField, ...ColumnField[]] = [
  { ...column('id', 'id'), type: 'uuid' },
  { ...column('subscriptionId', 'subscription_id'), type: 'uuid' },
  { ...column('subscription', 'subscription_id'), type: 'uuid' },
  { ...column('eventId', 'event_id'), type: 'uuid' },
  { ...column('eventType', 'event_type'), type: 'enum', values: Object.keys(events) },
  { ...column('status', 'status'), type: 'enum', values: deliveryStatuses },
  { ...column('attemptCount', 'attempts'), type: 'integer' },
  { ...last('lastStatus', 'status'), type: 'integer' },
  { ...last('lastError', 'error'), type: 'text' },
  { ...column('createdAt', 'created_at'), type: 'instant' },
  { ...column('nextAttemptAt', 'next_attempt_at', true), type: 'instant' },
  { ...column('endedAt', 'ended_at', true), type: 'instant' },
]
