import { isObject, readObject } from '../json-objects.ts'
import { decodeCanonical } from './canonical-base64.ts'

/** The answer to an offline request, taken apart; nothing of it is proved yet. */
export interface OfflineResponse {
  /** The licence's claims, and what ties it to the request. */
  claims: Record<string, unknown>
  /** What the signature is over: the bytes inside signedPayload. */
  signed: Buffer
  signature: Buffer
}

/** The parts of a response envelope; what is wrong with it otherwise, as the end of the sentence "the response …". */
export function readOfflineResponse(value: unknown): OfflineResponse | { wrong: string } {
  if (!isObject(value) || typeof value.signedPayload !== 'string' || typeof value.signature !== 'string')
    return { wrong: 'is not a JSON object with the texts signedPayload and signature, or holds a key twice' }
  const signed = decodeCanonical(value.signedPayload, 'base64url')
  if (!signed) return { wrong: 'has a signedPayload that is not canonical base64url without padding' }
  const signature = decodeCanonical(value.signature, 'base64')
  if (!signature) return { wrong: 'has a signature that is not canonical base64' }
  const claims = readObject(signed)
  return claims ? { claims, signed, signature } : { wrong: 'has a signedPayload that holds no JSON object' }
}
