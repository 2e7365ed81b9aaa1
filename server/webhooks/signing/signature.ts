import { createHmac } from 'node:crypto'

/** How webhook-timestamp is written: as RFC 3339, or as Standard Webhooks has it, in integer Unix seconds. */
export const signatureProfiles = ['Default', 'StandardWebhooks'] as const
export type SignatureProfile = (typeof signatureProfiles)[number]

/** The HMAC key of a secret: the base64-decoded rest of a `whsec_` secret, else the secret's own UTF-8 bytes. */
export const keyOfSecret = (secret: string): Buffer =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret, 'utf8')

/** The webhook-timestamp of an instant (milliseconds), whole seconds in either profile. */
export const stampOf = (at: number, profile: SignatureProfile): string =>
  profile === 'StandardWebhooks'
    ? String(Math.floor(at / 1000))
    : `${new Date(at).toISOString().slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)}Z`

/** `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body` (Standard Webhooks, "Signature scheme"), the body as the very bytes that are sent. */
export const sign = (key: Uint8Array, id: string, timestamp: string, body: Uint8Array): string =>
  `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
