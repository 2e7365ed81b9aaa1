import { randomBytes } from 'node:crypto'
import type { RequestContext } from '../../kit/context.ts'
import { eventRow } from '../../kit/outbox.ts'
import type { Reply } from '../../kit/outgoing/outgoing.ts'
import { Problem } from '../../kit/problem.ts'
import { actorOf } from '../../kit/procedure.ts'
import { deliveryHeaders } from '../signing/delivery-headers.ts'
import { type EventRow, envelopeOf } from '../signing/envelope.ts'
import { signingSecrets } from '../subscriptions/secrets.ts'
import { openSecrets, type SubscriptionRow, unsealedSecrets } from '../subscriptions/store.ts'
import { explainReply } from './passing.ts'

/** A challenge that was sent, what came back, and what was wrong with that; nothing when it was passed. */
export interface SentChallenge {
  event: EventRow
  reply: Reply
  fault: string | undefined
}

/** Posts a challenge to the endpoint of a subscription, signed as every delivery is, and waits for the answer. */
export async function sendChallenge(context: RequestContext, row: SubscriptionRow): Promise<SentChallenge> {
  const { now, correlationId, tenant, sealer } = context
  const challenge = randomBytes(32).toString('base64url')
  const event = eventRow(
    { tenantId: tenant.id, now, actor: actorOf(context), correlationId },
    {
      type: 'Webhooks.Registration.Challenge',
      entityId: row.id,
      data: { challenge, subscriptionId: row.id },
    },
  )
  const body = envelopeOf(event)
  const opened = openSecrets(sealer, row)
  if (!opened) throw new Problem('webhook.verification_failed', `Rotate its secret first: ${unsealedSecrets}.`)
  const secrets = signingSecrets(opened, now)
  const headers = deliveryHeaders(
    {
      eventId: event.id,
      eventType: event.type,
      tenantId: tenant.id,
      subscriptionId: row.id,
      profile: row.signature_profile,
      secrets,
      attempt: 1,
      sentAt: Date.now(),
    },
    body,
  )
  const reply = await context.outgoing!.post({ url: row.url, headers, body })
  const challenged = { challenge, eventId: event.id, timestamp: headers['webhook-timestamp']!, body, secrets }
  return { event, reply, fault: explainReply(reply, challenged, row.origin === 'Admin') }
}
