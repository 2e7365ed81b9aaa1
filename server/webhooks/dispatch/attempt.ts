import { newId } from '../../kit/ids.ts'
import type { Reply } from '../../kit/outgoing/outgoing.ts'
import { keptOfReply } from '../deliveries/excerpt.ts'
import type { DeliveryRow } from '../deliveries/pending.ts'
import type { DeliveryTables } from '../deliveries/tables.ts'
import { judgeReply, type Verdict } from './judging.ts'
import { planRetry } from './retrying.ts'
import type { Standing } from './store.ts'

/** An attempt that was made: what is kept of it, how its delivery stands then, and what that says of the endpoint. */
export interface Attempted {
  subscriptionId: string
  row: DeliveryTables['webhook_attempts']
  standing: Standing
  outcome: Verdict['outcome']
}

/** What became of a delivery that was sent at an instant of its tenant's clock and of real time, and answered with this. */
export function settleAttempt(
  delivery: DeliveryRow,
  sentAt: { tenant: number; real: number },
  reply: Reply,
  draw: () => number,
): Attempted {
  const attempts = delivery.attempts + 1
  const startedAt = delivery.budget_started_at ?? sentAt.tenant
  const endedAt = sentAt.tenant + reply.millis
  const verdict = judgeReply(reply, sentAt.real + reply.millis)
  const nextAttemptAt =
    verdict.outcome === 'failed' ? planRetry({ attempts, startedAt }, endedAt, verdict.askedMillis, draw) : null
  const status =
    verdict.outcome === 'delivered' ? 'Delivered' : nextAttemptAt === null ? 'DeadLettered' : ('Pending' as const)
  return {
    subscriptionId: delivery.subscription_id,
    row: {
      delivery_id: delivery.id,
      id: newId(),
      tenant_id: delivery.tenant_id,
      attempt: attempts,
      attempted_at: sentAt.tenant,
      error: 'error' in verdict ? verdict.error : null,
      ...keptOfReply(reply),
    },
    standing: {
      id: delivery.id,
      status,
      attempts,
      budget_started_at: startedAt,
      next_attempt_at: nextAttemptAt,
      ended_at: status === 'Pending' ? null : endedAt,
    },
    outcome: verdict.outcome,
  }
}
