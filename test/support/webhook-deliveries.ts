import { createHmac } from 'node:crypto'
import { type SigningSecret, secretsIn } from '../../cli/webhooks/signing-secrets.ts'
import { type Verdict, verifyDelivery } from '../../cli/webhooks/verifying.ts'

/** A delivery as a test makes it, and what was signed with what key. */
export interface MadeDelivery {
  id: string
  timestamp: string
  signature: string
  body: string | Buffer
  secret: string
  contentLength?: number
}

export const eventId = '0199f000-0000-7000-8000-000000000001'
export const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
export const stamp = '2026-08-29T12:00:00Z'
export const sentAt = Date.parse(stamp)

/** The body of an event: an envelope as deliveries have it. */
export const eventBody = (data = '{"planName":"Größe <L> & más/…","amount":1.10,"notes":[],"_test":true}') =>
  `{"specversion":"1.0","id":"${eventId}","source":"urn:service:tenant:t1","type":"Entitlement.Activated","time":"2026-08-29T11:59:58.120Z","subject":"e1","datacontenttype":"application/json","tenantid":"t1","entitykind":"entitlement","entityid":"e1","eventversion":1,"data":${data}}`

/** HMAC-SHA256 of a text or bytes, as node:crypto alone makes it. */
export const hmac = (key: string | Buffer, ...parts: (string | Buffer)[]) => {
  const mac = createHmac('sha256', key)
  for (const part of parts) mac.update(part)
  return mac.digest()
}

/** The key of a `whsec_` secret. */
export const keyOfPrefixed = (text: string) => Buffer.from(text.slice('whsec_'.length), 'base64')

/** `v1,` and the signature by `secret` of what a delivery has, or of something else. */
export const signatureBy = (key: string | Buffer, ...parts: (string | Buffer)[]) =>
  `v1,${hmac(key, ...parts).toString('base64')}`

/** A sound delivery, with what a test changes. */
export function delivery(changed: Partial<MadeDelivery> = {}): MadeDelivery {
  const body = eventBody()
  const signature = signatureBy(keyOfPrefixed(secret), `${eventId}.${stamp}.${body}`)
  return { id: eventId, timestamp: stamp, signature, body, secret, ...changed }
}

/** The verdict on a delivery, three seconds after it was sent unless a test says otherwise. */
export function verdictOn(made: MadeDelivery, now = sentAt + 3000, tolerance = 300_000): Verdict {
  const headers = new Map([
    ['webhook-id', made.id],
    ['webhook-timestamp', made.timestamp],
    ['webhook-signature', made.signature],
    ...(made.contentLength === undefined ? [] : ([['content-length', String(made.contentLength)]] as const)),
  ])
  const secrets: SigningSecret[] = secretsIn(made.secret)
  return verifyDelivery({ headers, body: Buffer.from(made.body) }, secrets, { now, tolerance })
}
