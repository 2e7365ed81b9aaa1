import type { DeliveryRow } from './pending.ts'

/** Why a delivery is not queued anew; undefined when it is. `isWanted`: its subscription is still there. */
export function explainNoRequeue(
  delivery: Pick<DeliveryRow, 'status' | 'event_type'>,
  isWanted: boolean,
): string | undefined {
  if (delivery.event_type === 'Webhooks.Registration.Challenge')
    return 'A challenge is not queued anew: verify the subscription again, or fire the test again.'
  if (delivery.status !== 'DeadLettered') return `It is ${delivery.status}; only what is DeadLettered is queued anew.`
  return isWanted ? undefined : 'Its subscription was deleted.'
}
