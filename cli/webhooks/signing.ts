import { createHmac } from 'node:crypto'
import { decodeCanonical } from '../licenses/canonical-base64.ts'

/** What a secret begins with whose rest is the HMAC key in base64. */
export const secretPrefix = 'whsec_'

/** The HMAC key of a secret: the base64-decoded rest of a `whsec_` secret, else the secret's own UTF-8 bytes; undefined when that rest is no canonical base64. */
export const keyOf = (secret: string): Buffer | undefined =>
  secret.startsWith(secretPrefix)
    ? decodeCanonical(secret.slice(secretPrefix.length), 'base64')
    : Buffer.from(secret, 'utf8')

/** The HMAC-SHA256 of `id.timestamp.body` (Standard Webhooks, "Signature scheme"), the body as the very bytes that are sent. */
export const macOf = (key: Uint8Array, id: string, timestamp: string, body: Uint8Array): Buffer =>
  createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()

/** A signature as webhook-signature has it: `v1,` and base64. */
export const signatureOf = (mac: Buffer): string => `v1,${mac.toString('base64')}`

/**
 * The signatures of webhook-signature, as they stand there: told apart by blanks, or by commas where two headers were joined
 * (RFC 9110 §5.3).
 */
export const signaturesIn = (header: string): string[] =>
  header.split(/\s*,\s*(?=v\d+[a-z]?,)|\s+/).filter((signature) => signature !== '')
