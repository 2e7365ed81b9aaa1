import { readJson } from '../exact-numbers.ts'
import { isObject } from '../json-objects.ts'
import { keyOf, macOf, signatureOf } from '../webhooks/signing.ts'
import type { SigningSecret } from '../webhooks/signing-secrets.ts'
import { verifyDelivery } from '../webhooks/verifying.ts'
import type { Received } from './receiver.ts'

/** A delivery that is to be trusted. */
export interface Delivery {
  /** The event's, the same in every attempt to deliver it. */
  id: string
  type: string
  subject: string | null
  entityKind: string | null
  entityId: string | null
  /** Counted from 1; null where the sender does not say. */
  attempt: number | null
  isTest: boolean
  /** How long after the event it came; null where the tenant's clock is not the time of day. */
  latencyMillis: number | null
  subscriptionId: string | null
  /** As it was sent, number by number. */
  envelope: Record<string, unknown>
  /** The secret that signed it. */
  secret: SigningSecret
}

/** A request that is not taken, and with which status it is refused. */
export interface Refusal {
  status: 400 | 401
  reason: string
  /** What it says of itself, which nobody need believe. */
  id: string | null
  type: string | null
}

const challengeType = 'Webhooks.Registration.Challenge'

/** What is nested deeper could not be written out again; no event of licet comes near it. */
const deepest = 64

/** How far a timestamp may be from now, in either direction. */
const tolerance = 5 * 60_000

/** What a request is: a delivery that one of the secrets has signed over these bytes a moment ago; or refused, with why, and with what explains it where that `isExplained`. */
export function judgeDelivery(
  { headers, body, at }: Received,
  secrets: readonly SigningSecret[],
  isExplained: boolean,
): Delivery | Refusal {
  const delivery = { headers: new Map(Object.entries(headers)), body }
  const verdict = verifyDelivery(delivery, secrets, { now: at, tolerance, isExplained })
  const { id, matched, reason, hints } = verdict
  const refused = (status: Refusal['status'], ...words: string[]) => ({
    ...{ status, reason: words.join(' '), id },
    type: headers['webhook-event-type'] ?? null,
  })
  if (reason || !matched || id === null)
    return refused(401, reason?.message ?? '', ...hints.map(({ message }) => message).slice(0, 2))
  const envelope = objectIn(body)
  if (envelope === undefined) return refused(400, 'The body is no JSON object.')
  if (isDeeper(envelope, deepest)) return refused(400, `The body is nested more than ${deepest} levels deep.`)
  if (envelope.id !== id) return refused(400, 'The id in the body is not the webhook-id.')
  if (typeof envelope.type !== 'string') return refused(400, 'The body names no type.')

  const data = recordOr(envelope.data)
  return {
    id,
    type: envelope.type,
    subject: textOr(envelope.subject),
    entityKind: textOr(envelope.entitykind),
    entityId: textOr(envelope.entityid),
    attempt: verdict.attempt,
    isTest: data._test === true,
    latencyMillis: latencyOf(envelope.time, at),
    subscriptionId: headers['webhook-subscription'] ?? null,
    envelope,
    secret: secrets[matched.secret - 1]!,
  }
}

/** What a challenge is answered: its own words, signed as a delivery is over the id and the timestamp that came; undefined for any other event. */
export function answerToChallenge(
  { type, envelope, id, secret }: Delivery,
  timestamp: string,
): { body: string; signature: string } | undefined {
  const { challenge } = recordOr(envelope.data)
  const key = keyOf(secret.text)
  if (type !== challengeType || typeof challenge !== 'string' || key === undefined) return undefined
  const body = JSON.stringify({ challenge })
  return { body, signature: signatureOf(macOf(key, id, timestamp, Buffer.from(body))) }
}

/** A tenant's clock may be years ahead: then nothing is known of the time that passed. */
function latencyOf(time: unknown, at: number): number | null {
  const latency = typeof time === 'string' ? at - Date.parse(time) : Number.NaN
  return latency >= -1000 ? Math.max(0, latency) : null
}

function objectIn(body: Buffer): Record<string, unknown> | undefined {
  try {
    const value = readJson(new TextDecoder('utf-8', { fatal: true }).decode(body))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Whether lists and objects stand within each other more than `most` times. */
const isDeeper = (value: unknown, most: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (most === 0 || Object.values(value).some((one) => isDeeper(one, most - 1)))

const recordOr = (value: unknown) => (isObject(value) ? value : {})
const textOr = (value: unknown) => (typeof value === 'string' ? value : null)
