import { timingSafeEqual } from 'node:crypto'
import { MalformedJson, parseStrictJson } from '../../../catalog-schema/strict-json.ts'
import type { Answered, Reply } from '../../kit/outgoing/outgoing.ts'
import { keyOfSecret, sign } from '../signing/signature.ts'

/** A challenge as it was sent, and what its answer is to be signed with. */
export interface Challenged {
  challenge: string
  eventId: string
  timestamp: string
  body: Uint8Array
  secrets: readonly string[]
}

/** Why the answer to a challenge is none, or nothing when it is: any 2xx where none need prove that it has the secret. */
export function explainReply(reply: Reply, challenged: Challenged, needsProof: boolean): string | undefined {
  if ('failure' in reply) return `The endpoint did not answer: ${reply.failure}.`
  if (reply.status < 200 || reply.status > 299) return `The endpoint answered ${reply.status}, which is not 2xx.`
  return needsProof ? (explainBody(reply, challenged) ?? explainSignature(reply, challenged)) : undefined
}

function explainBody({ body, isCut }: Answered, { challenge, body: sent }: Challenged): string | undefined {
  if (isCut) return "The endpoint's answer is longer than 64 KiB."
  if (body.equals(sent)) return 'The endpoint sent the request back instead of an answer.'
  let value: unknown
  try {
    value = parseStrictJson(body)
  } catch (error) {
    if (!(error instanceof MalformedJson)) throw error
    return `The endpoint's answer ${error.message}.`
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return "The endpoint's answer is not a JSON object."
  if (!Object.hasOwn(value, 'challenge')) return 'The endpoint\'s answer has no field "challenge" at its top level.'
  return (value as { challenge: unknown }).challenge === challenge
    ? undefined
    : 'The "challenge" in the endpoint\'s answer is not data.challenge of the request.'
}

/** Each of the signatures in the header is held against each of the secrets; one that fits is enough. */
function explainSignature(
  { headers, body }: Answered,
  { eventId, timestamp, secrets }: Challenged,
): string | undefined {
  const given = [headers['webhook-signature'] ?? []].flat().join(' ').trim()
  if (given === '') return "The endpoint's answer has no webhook-signature header."
  const offered = given.split(/\s+/).map((signature) => Buffer.from(signature))
  const isSigned = secrets
    .map((secret) => Buffer.from(sign(keyOfSecret(secret), eventId, timestamp, body)))
    .some((right) => offered.some((one) => one.length === right.length && timingSafeEqual(one, right)))
  return isSigned
    ? undefined
    : "The webhook-signature of the endpoint's answer is not that of webhook-id, webhook-timestamp (both as sent) and the answer's own body, joined by dots."
}
