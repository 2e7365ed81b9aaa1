import { timingSafeEqual } from 'node:crypto'
import { type Envelope, readEnvelope } from './envelope.ts'
import type { Headers } from './header-reading.ts'
import { findNearMiss, type SignedParts } from './near-misses/finding.ts'
import type { HintCode } from './near-misses/near-miss.ts'
import { type Suspicion, suspect, suspectHeaders } from './near-misses/suspecting.ts'
import { keyOf, macOf, signatureOf, signaturesIn } from './signing.ts'
import type { SigningSecret } from './signing-secrets.ts'
import { readStamp, type SignatureProfile } from './stamps.ts'

/** A delivery as it was received: the very bytes of its body. */
export interface Delivery {
  headers: Headers
  body: Buffer
}

/** Why a delivery is not to be trusted; scripts branch on the code. */
interface Reason {
  code: 'missing_header' | 'wrong_signature' | 'malformed_id' | 'malformed_timestamp' | 'too_old' | 'too_new'
  message: string
}

/** What explains a delivery that does not verify, or what is odd about one that does. */
interface Hint {
  code: HintCode
  message: string
  /** The signature and the secret that it is about, by their places from 1; null where it is about none. */
  signature: number | null
  secret: number | null
}

/** The judgement of a delivery, as the JSON document of `licet webhook verify` has it. */
export interface Verdict {
  verified: boolean
  /** Null when it is verified. */
  reason: Reason | null
  /** The first signature that fits a secret, by their places from 1. */
  matched: { signature: number; secret: number } | null
  /** Whole seconds from its timestamp to the time of judgement; negative when it is ahead. */
  age: number | null
  profile: SignatureProfile | null
  id: string | null
  /** Of its envelope; null unless a signature fits, since anybody could have written it. */
  type: string | null
  attempt: number | null
  isTest: boolean | null
  hints: Hint[]
}

/** How a delivery is judged: by what time, and how far from it in either direction a timestamp is trusted (milliseconds both). */
export interface Judging {
  now: number
  tolerance: number
  /** False where finding out why no signature fits, which can take seconds, is not worth it. */
  isExplained?: boolean
}

const required = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

/** The judgement of a delivery by the secrets of its subscription: any one signature of any one secret suffices (interface, "Signature"). */
export function verifyDelivery(
  { headers, body }: Delivery,
  secrets: readonly SigningSecret[],
  { now, tolerance, isExplained = true }: Judging,
): Verdict {
  const [id, timestamp, signature] = required.map((name) => headers.get(name) ?? '') as [string, string, string]
  const stamp = readStamp(timestamp)
  const missing = required.filter((name) => !headers.get(name))
  const matched = missing.length > 0 ? undefined : findMatch(signature, secrets, { id, timestamp, body })
  const envelope = readEnvelope(body)
  const contentLength = countOf(headers.get('content-length'))
  const age = stamp === undefined ? null : Math.floor((now - stamp.at) / 1000)
  const reason =
    missing.length > 0
      ? reasonOf('missing_header', `There is no ${missing.join(', no ')}.`)
      : matched === undefined
        ? reasonOf('wrong_signature', 'No signature fits the body, the id and the timestamp.')
        : (formProblem(id, timestamp) ?? ageProblem(now - stamp!.at, tolerance))
  const parts = { id, timestamp, signature, body, contentLength, envelopeId: envelope.id }
  return {
    verified: reason === null,
    reason,
    matched: matched ?? null,
    age,
    profile: stamp?.profile ?? null,
    id: id || null,
    type: matched ? envelope.type : null,
    attempt: countOf(headers.get('webhook-delivery-attempt')),
    isTest: matched ? envelope.isTest : null,
    hints: matched
      ? oddities(id, envelope, secrets[matched.secret - 1]!, matched)
      : isExplained
        ? explain(parts, secrets, () => (missing.length > 0 ? suspectHeaders(headers) : suspect(parts, secrets)))
        : [],
  }
}

/** The first signature that is the one of a secret, compared in constant time. */
function findMatch(
  header: string,
  secrets: readonly SigningSecret[],
  { id, timestamp, body }: { id: string; timestamp: string; body: Buffer },
): Verdict['matched'] | undefined {
  const expected = secrets.map(({ text }) => {
    const key = keyOf(text)
    return key && Buffer.from(signatureOf(macOf(key, id, timestamp, body)))
  })
  for (const [at, given] of signaturesIn(header).entries()) {
    const bytes = Buffer.from(given)
    const secret = expected.findIndex((one) => one?.length === bytes.length && timingSafeEqual(one, bytes))
    if (secret !== -1) return { signature: at + 1, secret: secret + 1 }
  }
  return undefined
}

/** An id or a timestamp with which bytes could move between them and the body under the same signature. */
function formProblem(id: string, timestamp: string): Reason | null {
  if (id.includes('.')) return reasonOf('malformed_id', 'A webhook-id has no dot: what is signed would be ambiguous.')
  if (readStamp(timestamp)) return null
  return reasonOf(
    'malformed_timestamp',
    'webhook-timestamp is neither RFC 3339 in whole seconds of UTC (2027-01-01T00:00:00Z) nor Unix seconds.',
  )
}

function ageProblem(distance: number, tolerance: number): Reason | null {
  if (distance > tolerance)
    return reasonOf('too_old', 'Its timestamp is too old to be trusted: it may have been recorded and sent again.')
  if (distance < -tolerance)
    return reasonOf('too_new', 'Its timestamp is ahead: the clock here, or that of the sender, is wrong.')
  return null
}

/** Why no signature fits: a near miss that was proved, or else what looks wrong. */
function explain(parts: SignedParts, secrets: readonly SigningSecret[], suspicions: () => Suspicion[]): Hint[] {
  const near = findNearMiss(parts, secrets)
  if (!near)
    return suspicions().map(({ code, message, secret }) => ({
      code,
      message,
      signature: null,
      secret: secret ?? null,
    }))
  const { signature, secret, deviations } = near
  const condition = deviations.map((one) => one.condition).join(', and ')
  return deviations.map(({ code, advice }) => ({
    code,
    message: `Signature ${signature} fits secret ${secret} if ${condition}. ${advice}`,
    signature,
    secret,
  }))
}

/** What would be a trap with a delivery that a signature fits. */
function oddities(
  id: string,
  envelope: Envelope,
  { text, line }: SigningSecret,
  { signature, secret }: NonNullable<Verdict['matched']>,
): Hint[] {
  const hints: Hint[] = []
  if (line !== text)
    hints.push({
      code: 'secret_blanks',
      message: `There are blanks around secret ${secret}; they are not part of it. A receiver that does not trim it refuses every delivery.`,
      signature,
      secret,
    })
  if (envelope.id !== null && envelope.id !== id)
    hints.push({
      code: 'id_of_another',
      message: 'The envelope has another id than webhook-id, although both are signed: the sender is no licet.',
      signature,
      secret,
    })
  return hints
}

const reasonOf = (code: Reason['code'], message: string): Reason => ({ code, message })
const countOf = (text: string | undefined) => (text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null)
