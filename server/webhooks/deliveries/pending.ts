import { newId } from '../../kit/ids.ts'
import type { EventRow } from '../signing/envelope.ts'
import type { DeliveryTables } from './tables.ts'

export type DeliveryRow = DeliveryTables['webhook_deliveries']

/** An event on its way to a subscription from `now` on (milliseconds of the tenant's clock). */
export const pendingDelivery = (
  event: Pick<EventRow, 'id' | 'tenant_id' | 'type'>,
  subscriptionId: string,
  now: number,
): DeliveryRow => ({
  id: newId(),
  tenant_id: event.tenant_id,
  subscription_id: subscriptionId,
  event_id: event.id,
  event_type: event.type,
  status: 'Pending',
  attempts: 0,
  budget_started_at: null,
  next_attempt_at: now,
  created_at: now,
  ended_at: null,
})
