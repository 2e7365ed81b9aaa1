import { createHmac, timingSafeEqual } from 'node:crypto'
import { keyOf, macOf } from '../signing.ts'
import type { SigningSecret } from '../signing-secrets.ts'
import { readStamp, stampOf } from '../stamps.ts'
import type { Candidate, Deviation } from './near-miss.ts'
import { otherBodies } from './other-bodies.ts'
import { otherIds, otherPrefixes } from './other-contents.ts'
import { otherKeys } from './other-keys.ts'
import { type SignatureForm, signatureForms } from './signature-forms.ts'

/** What a delivery came with, each part empty when it is missing. */
export interface SignedParts {
  id: string
  timestamp: string
  signature: string
  body: Buffer
  /** The length that the headers count. */
  contentLength: number | null
  /** The id that the body gives itself. */
  envelopeId: string | null
}

/** A signature that would fit a secret (by their places, from 1) but for one or two deviations, or for the way in which it is written. */
export interface NearMiss {
  signature: number
  secret: number
  deviations: Deviation[]
}

/** Near misses of longer bodies are not looked for: one body is tried in hundreds of ways. */
export const longestTried = 64 * 1024
/** The most that is hashed, and what a hash costs besides its bytes. */
const mostHashed = 256 * 1024 * 1024
const hashCost = 1024
/** How far the stamp of another attempt can be from this one: the time in which a delivery is retried. */
const retriedForSeconds = 2 * 60 * 60

/** What would have to be different for a signature to fit, the least first; undefined when nothing that usually goes wrong explains it. */
export function findNearMiss(parts: SignedParts, secrets: readonly SigningSecret[]): NearMiss | undefined {
  const forms = signatureForms(parts.signature)
  if (forms.length === 0 || parts.body.length > longestTried) return undefined
  return findDeviation(parts, secrets, forms) ?? findOtherStamp(parts, secrets, forms)
}

function findDeviation(
  { id, timestamp, body, contentLength, envelopeId }: SignedParts,
  secrets: readonly SigningSecret[],
  forms: readonly SignatureForm[],
): NearMiss | undefined {
  const bodies: Candidate<Buffer>[] = [itself(body), ...otherBodies(body, contentLength)]
  const prefixes: Candidate<string>[] = [itself(`${id}.${timestamp}.`), ...otherPrefixes(id, timestamp, envelopeId)]
  const keys = secrets.flatMap((secret, at) => {
    const key = keyOf(secret.text)
    const candidates: Candidate<Buffer>[] = [...(key ? [itself(key)] : []), ...otherKeys(secret)]
    return candidates.map((candidate) => ({ ...candidate, secret: at + 1 }))
  })
  let hashed = 0
  for (const allowed of [0, 1, 2])
    for (const key of keys)
      for (const prefix of prefixes)
        for (const other of bodies) {
          const deviations = [other, key, prefix].flatMap(({ deviation }) => deviation ?? [])
          if (deviations.length !== allowed) continue
          hashed += other.value.length + hashCost
          if (hashed > mostHashed) return undefined
          const mac = createHmac('sha256', key.value).update(prefix.value).update(other.value).digest()
          const form = findForm(forms, mac)
          if (form)
            return { signature: form.place, secret: key.secret, deviations: [...deviations, ...form.deviations] }
        }
  return undefined
}

/** Whether the signature is of another time: that of an earlier or later attempt. */
function findOtherStamp(
  { id, timestamp, body, envelopeId }: SignedParts,
  secrets: readonly SigningSecret[],
  forms: readonly SignatureForm[],
): NearMiss | undefined {
  const stamp = readStamp(timestamp)
  const ids: Candidate<string>[] = [itself(id), ...otherIds(id, envelopeId)]
  const keys = secrets.flatMap(({ text }, at) => {
    const key = keyOf(text)
    return key ? [{ key, secret: at + 1 }] : []
  })
  const steps = 2 * retriedForSeconds * keys.length * ids.length
  if (!stamp || steps * (body.length + hashCost) > mostHashed) return undefined
  for (let step = 2; step <= 2 * retriedForSeconds + 1; step++) {
    const seconds = step % 2 === 0 ? step / 2 : -(step - 1) / 2
    const at = stamp.at + seconds * 1000
    if (at < 0) continue
    const text = stampOf(at, stamp.profile)
    for (const { key, secret } of keys)
      for (const one of ids) {
        const form = findForm(forms, macOf(key, one.value, text, body))
        if (!form) continue
        const deviations = [otherStamp(text), ...(one.deviation ? [one.deviation] : []), ...form.deviations]
        return { signature: form.place, secret, deviations }
      }
  }
  return undefined
}

const otherStamp = (text: string): Deviation => ({
  code: 'timestamp_of_another',
  condition: `the timestamp is ${text}`,
  advice:
    'The timestamp is of another attempt than the signature: take id, timestamp and signature from the request that brought the body.',
})

const findForm = (forms: readonly SignatureForm[], mac: Buffer) => forms.find((form) => timingSafeEqual(form.mac, mac))
const itself = <Value>(value: Value): Candidate<Value> => ({ value, deviation: null })
