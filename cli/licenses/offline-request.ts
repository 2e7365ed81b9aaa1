import { createHash, randomBytes } from 'node:crypto'
import { normalInstant } from '../../catalog-schema/instant.ts'
import { isObject } from '../json-objects.ts'
import { decodeCanonical } from './canonical-base64.ts'

/** The wire format's major version. */
export const schemaVersion = 1

/** The parts of a device that a hash may be sent of. */
export const componentNames = ['MachineName', 'MacAddress', 'OsVersion', 'UserName'] as const

export interface ApplicationInfo {
  applicationName?: string
  installedApplicationVersion?: string
  applicationInstanceName?: string
  applicationScope?: string
}

/** What a device asks an activation with. */
export interface ActivationBody {
  activationCode: string
  fingerprint: string
  applicationInfo?: ApplicationInfo
  /** Hashes by component. */
  components?: Record<string, string>
}

/** The request artifact that is carried from the machine without a network to the one that issues. */
export interface OfflineRequest {
  meta: { schemaVersion: number; nonce: string; requestedAt: string; sdkVersion: string }
  body: ActivationBody
}

/** A request of now (milliseconds), with a nonce of its own: 32 random bytes. */
export function composeRequest(body: ActivationBody, now: number, sdkVersion: string): OfflineRequest {
  const nonce = randomBytes(32).toString('base64url')
  return { meta: { schemaVersion, nonce, requestedAt: new Date(now).toISOString(), sdkVersion }, body }
}

/**
 * A value as a request artifact when it has what every request has; what is wrong with it otherwise, as the end of the
 * sentence "the request …". What else it holds is for the server to judge.
 */
export function readOfflineRequest(value: unknown): OfflineRequest | { wrong: string } {
  if (!isObject(value) || !isObject(value.meta) || !isObject(value.body))
    return { wrong: 'is not a JSON object with meta and body, or holds a key twice' }
  const { meta, body } = value
  if (meta.schemaVersion !== schemaVersion)
    return { wrong: `has another meta.schemaVersion than ${schemaVersion}, the only one there is` }
  if (typeof meta.nonce !== 'string' || decodeCanonical(meta.nonce, 'base64url')?.length !== 32)
    return { wrong: 'has a meta.nonce that is not 32 bytes in base64url without padding' }
  if (typeof meta.requestedAt !== 'string' || normalInstant(meta.requestedAt) === undefined)
    return { wrong: 'has a meta.requestedAt that is no date-time' }
  for (const name of ['activationCode', 'fingerprint'] as const)
    if (typeof body[name] !== 'string' || body[name] === '') return { wrong: `has no body.${name}` }
  return value as unknown as OfflineRequest
}

/** The hash of a device's component, as it is sent: SHA-256 in hexadecimal; a text of 64 hexadecimal digits is one already. */
export const componentHash = (value: string) => (/^[0-9a-f]{64}$/i.test(value) ? value.toLowerCase() : sha256(value))

/** What a licence says of the fingerprint it was issued for: SHA-256 in hexadecimal. */
export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** An activation code by its end, enough to tell it from others. */
export const maskedCode = (code: string) => (code.length < 12 ? '…' : `…${code.slice(-4)}`)
