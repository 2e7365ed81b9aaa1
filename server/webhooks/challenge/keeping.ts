import type { Tx } from '../../database/database.ts'
import { newId } from '../../kit/ids.ts'
import { keptOfReply } from '../deliveries/excerpt.ts'
import { pendingDelivery } from '../deliveries/pending.ts'
import { insertAttempts, insertDeliveries } from '../deliveries/store.ts'
import type { SentChallenge } from './sending.ts'

/** Keeps a challenge as the event it is, with its delivery, which is over, and the one attempt. */
export async function keepChallenge(tx: Tx, { event, reply, fault }: SentChallenge): Promise<void> {
  const startedAt = event.occurred_at
  const delivery = pendingDelivery(event, event.entity_id)
  await tx.insertInto('events').values(event).execute()
  await insertDeliveries(tx, [
    {
      ...delivery,
      status: fault === undefined ? 'Delivered' : 'DeadLettered',
      attempts: 1,
      budget_started_at: startedAt,
      next_attempt_at: null,
      ended_at: startedAt + reply.millis,
    },
  ])
  await insertAttempts(tx, [
    {
      delivery_id: delivery.id,
      id: newId(),
      tenant_id: event.tenant_id,
      attempt: 1,
      attempted_at: startedAt,
      error: fault ?? null,
      ...keptOfReply(reply),
    },
  ])
}
