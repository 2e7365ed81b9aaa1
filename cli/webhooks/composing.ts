import { Problem } from '../problems.ts'
import { readEnvelope } from './envelope.ts'
import { keyOf, macOf, signatureOf } from './signing.ts'
import type { SigningSecret } from './signing-secrets.ts'
import { readStamp, type SignatureProfile, stampOf } from './stamps.ts'

/** What is asked of the headers of a body; what is not asked follows from the body and the time. */
export interface Composition {
  id?: string | undefined
  timestamp?: string | undefined
  profile?: SignatureProfile | undefined
}

/**
 * The headers that a delivery of these bytes has, signed by each secret: with what the body says of its event where it is
 * an envelope. The id is the asked one, the envelope's, or `freshId`; the timestamp the asked one, or now (milliseconds).
 * Raises cli.usage for a wrong id or timestamp, cli.input for an envelope's id or a secret that cannot be used.
 */
export function composeHeaders(
  body: Buffer,
  asked: Composition,
  secrets: readonly SigningSecret[],
  { now, freshId }: { now: number; freshId: string },
): Record<string, string> {
  const envelope = readEnvelope(body)
  const id = asked.id ?? envelope.id ?? freshId
  if (!idForm.test(id))
    throw new Problem(asked.id === undefined ? 'cli.input' : 'cli.usage', 'A webhook-id has no dot and no blank.', {
      hint: 'the id of the envelope, a UUID',
    })
  const timestamp = composeStamp(asked, now)
  const signatures = secrets.map(({ text }, at) => {
    const key = keyOf(text)
    if (key) return signatureOf(macOf(key, id, timestamp, body))
    throw new Problem('cli.input', `Secret ${at + 1} is cut off: after whsec_ stands no padded base64.`)
  })
  return {
    'content-type': 'application/cloudevents+json; charset=utf-8',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
    ...told('webhook-event-type', envelope.type),
    'webhook-delivery-attempt': '1',
    ...told('webhook-tenant', envelope.tenantId),
  }
}

/** The timestamp in the form of the asked profile, or in its own. */
function composeStamp({ timestamp, profile }: Composition, now: number): string {
  if (timestamp === undefined) return stampOf(now, profile ?? 'Default')
  const stamp = readStamp(timestamp)
  if (stamp) return profile === undefined || profile === stamp.profile ? timestamp : stampOf(stamp.at, profile)
  throw new Problem('cli.usage', '--timestamp is neither a date-time in whole seconds of UTC nor Unix seconds.', {
    hint: '2027-01-01T00:00:00Z or 1798761600',
  })
}

/** Printable ASCII, so that it can stand in a header, without what would make the signed text ambiguous. */
const idForm = /^[!-\-/-~]{1,256}$/
const told = (name: string, value: string | null) =>
  value !== null && /^[!-~]{1,256}$/.test(value) ? { [name]: value } : {}
