import { sign } from 'node:crypto'
import type { Signer } from '../../access/signing-keys/signer.ts'

/** A signed offline licence, as it is carried back to the device. */
export interface Envelope {
  /** The licence: UTF-8 JSON, base64url without padding. */
  signedPayload: string
  /** Base64 of the signature over the bytes inside signedPayload. */
  signature: string
}

/** The licence signed with the tenant's offline key: RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017 §8.2). */
export function signEnvelope({ privateKey }: Signer, licence: object): Envelope {
  const bytes = Buffer.from(JSON.stringify(licence))
  return {
    signedPayload: bytes.toString('base64url'),
    signature: sign('sha256', bytes, privateKey).toString('base64'),
  }
}
