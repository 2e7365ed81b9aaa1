import { newId } from '../../kit/ids.ts'
import type { EventRow } from '../signing/envelope.ts'
import type { DeliveryTables } from './tables.ts'

export type DeliveryRow = DeliveryTables['webhook_deliveries']

/** An event on its way to a subscription, due since it happened. */
export const pendingDelivery = (
  event: Pick<EventRow, 'id' | 'tenant_id' | 'type' | 'occurred_at'>,
  subscriptionId: string,
): DeliveryRow => ({
  id: newId(),
  tenant_id: event.tenant_id,
  subscription_id: subscriptionId,
  event_id: event.id,
  event_type: event.type,
  status: 'Pending',
  attempts: 0,
  budget_started_at: null,
  next_attempt_at: event.occurred_at,
  created_at: event.occurred_at,
  ended_at: null,
})
