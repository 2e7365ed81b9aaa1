import { keyOfSecret, type SignatureProfile, sign, stampOf } from './signature.ts'

/** What is signed and sent, to whom, and when (milliseconds of real time: receivers refuse what is old). */
export interface Sending {
  eventId: string
  eventType: string
  tenantId: string
  subscriptionId: string
  profile: SignatureProfile
  /** Each signs: two of them during a rotation. */
  secrets: readonly string[]
  /** Counted from 1 in each budget. */
  attempt: number
  sentAt: number
  callbackToken?: string | undefined
}

/** The headers of a delivery of these bytes. */
export function deliveryHeaders(sending: Sending, body: Uint8Array): Record<string, string> {
  const timestamp = stampOf(sending.sentAt, sending.profile)
  const signatures = sending.secrets.map((secret) => sign(keyOfSecret(secret), sending.eventId, timestamp, body))
  return {
    'content-type': 'application/cloudevents+json; charset=utf-8',
    'webhook-id': sending.eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
    'webhook-event-type': sending.eventType,
    'webhook-delivery-attempt': String(sending.attempt),
    'webhook-tenant': sending.tenantId,
    'webhook-subscription': sending.subscriptionId,
    ...(sending.callbackToken === undefined ? {} : { 'webhook-callback-token': sending.callbackToken }),
  }
}
