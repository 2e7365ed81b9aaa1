import { normalInstant } from '../../catalog-schema/instant.ts'

/** How webhook-timestamp is written: as RFC 3339, or as Standard Webhooks has it, in integer Unix seconds. */
export const signatureProfiles = ['Default', 'StandardWebhooks'] as const
export type SignatureProfile = (typeof signatureProfiles)[number]

/** What a webhook-timestamp says: when it was sent (milliseconds), and in which profile's form. */
export interface Stamp {
  at: number
  profile: SignatureProfile
}

/** UTC in either spelling of RFC 3339. */
const wholeSecond = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|\+00:00)$/
/** Until the year 5138. */
const unixSeconds = /^(?:0|[1-9]\d{0,10})$/

/**
 * A webhook-timestamp as deliveries have it: whole seconds of UTC, in either form; undefined for any other text. A fraction
 * is refused: with one, bytes could move between stamp and body under the same signature.
 */
export function readStamp(text: string): Stamp | undefined {
  if (unixSeconds.test(text)) return { at: Number(text) * 1000, profile: 'StandardWebhooks' }
  const instant = wholeSecond.test(text) ? normalInstant(text) : undefined
  return instant === undefined ? undefined : { at: Date.parse(instant), profile: 'Default' }
}

/** The webhook-timestamp of an instant (milliseconds), whole seconds in either profile. */
export const stampOf = (at: number, profile: SignatureProfile): string =>
  profile === 'StandardWebhooks' ? String(Math.floor(at / 1000)) : `${new Date(at).toISOString().slice(0, 19)}Z`
