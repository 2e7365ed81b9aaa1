import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { RecentlyUsed } from '../../kit/recently-used.ts'

/** How webhook-timestamp is written: as RFC 3339, or as Standard Webhooks has it, in integer Unix seconds. */
export const signatureProfiles = ['Default', 'StandardWebhooks'] as const
export type SignatureProfile = (typeof signatureProfiles)[number]

/** To sign with bytes would make a key of them each time, which takes longer than all else about a signature. */
const keys = new RecentlyUsed<KeyObject>(1000)

/** The HMAC key of a secret: the base64-decoded rest of a `whsec_` secret, else the secret's own UTF-8 bytes. */
export function keyOfSecret(secret: string): KeyObject {
  const known = keys.get(secret)
  if (known) return known
  const isEncoded = secret.startsWith('whsec_')
  const key = createSecretKey(isEncoded ? secret.slice('whsec_'.length) : secret, isEncoded ? 'base64' : 'utf8')
  keys.set(secret, key)
  return key
}

/** The webhook-timestamp of an instant (milliseconds), whole seconds in either profile. */
export const stampOf = (at: number, profile: SignatureProfile): string =>
  profile === 'StandardWebhooks'
    ? String(Math.floor(at / 1000))
    : `${new Date(at).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)}Z`

/** `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body` (Standard Webhooks, "Signature scheme"), the body as the very bytes that are sent. */
export const sign = (key: KeyObject, id: string, timestamp: string, body: Uint8Array): string =>
  `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
