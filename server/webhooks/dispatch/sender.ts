import type { Database } from '../../database/database.ts'
import type { Outgoing, Reply } from '../../kit/outgoing/outgoing.ts'
import type { Sealer } from '../../kit/sealing.ts'
import { issueCallbackToken } from '../callback-tokens/issuance.ts'
import { withoutToken } from '../callback-tokens/withholding.ts'
import type { DeliveryRow } from '../deliveries/pending.ts'
import { deliveryHeaders } from '../signing/delivery-headers.ts'
import { signingSecrets } from '../subscriptions/secrets.ts'
import { type Attempted, settleAttempt } from './attempt.ts'
import type { Endpoint } from './endpoint.ts'

/** What sends deliveries. */
export interface SenderOptions {
  database: Database
  sealer: Sealer
  outgoing: Outgoing
  /** The tenant's base URL as its tokens name it. */
  baseUrlOf: (slug: string) => string
}

/** A delivery in hand, with the bytes of its event. */
export interface Held {
  delivery: DeliveryRow
  body: Buffer
}

/**
 * Sends a delivery once; undefined when `signal` cut it off, as if it had never been tried. On a sandbox tenant it is sent at
 * the instant at which it was due, so that a clock that was advanced sees every retry at its own time.
 */
export async function send(
  by: SenderOptions,
  endpoint: Endpoint,
  { delivery, body }: Held,
  signal: AbortSignal,
): Promise<Attempted | undefined> {
  const real = Date.now()
  const tenantNow = real + endpoint.clockOffset
  const sentAt = { real, tenant: endpoint.isSandbox ? Math.min(tenantNow, delivery.next_attempt_at!) : tenantNow }
  const reply = await post(by, endpoint, { delivery, body }, sentAt, signal)
  return signal.aborted && 'failure' in reply ? undefined : settleAttempt(delivery, sentAt, reply, Math.random)
}

async function post(
  { database, sealer, outgoing, baseUrlOf }: SenderOptions,
  endpoint: Endpoint,
  { delivery, body }: Held,
  sentAt: { tenant: number; real: number },
  signal: AbortSignal,
): Promise<Reply> {
  const { id, tenantId, slug, url, profile, secrets, callbackScopes, clockOffset } = endpoint
  // The token is used now, whenever the attempt was due.
  const now = sentAt.real + clockOffset
  const callbackToken =
    callbackScopes.length === 0
      ? undefined
      : await issueCallbackToken({ read: database.read, sealer, tenantId, baseUrl: baseUrlOf(slug), now }, endpoint)
  const headers = deliveryHeaders(
    {
      eventId: delivery.event_id,
      eventType: delivery.event_type,
      tenantId,
      subscriptionId: id,
      profile,
      secrets: signingSecrets(secrets, sentAt.tenant),
      attempt: delivery.attempts + 1,
      sentAt: sentAt.real,
      callbackToken,
    },
    body,
  )
  const reply = await outgoing.post({ url, headers, body, signal })
  return callbackToken === undefined ? reply : withoutToken(reply, callbackToken)
}
