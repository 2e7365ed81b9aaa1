import { relativeWords } from '../time-words.ts'
import type { License } from './license-claims.ts'

/** Why a licence is not valid; scripts branch on the code. */
export interface Reason {
  code:
    | 'malformed'
    | 'wrong_type'
    | 'wrong_algorithm'
    | 'unknown_key'
    | 'wrong_signature'
    | 'schema_version'
    | 'not_yet_valid'
    | 'expired'
    | 'wrong_issuer'
    | 'wrong_audience'
    | 'wrong_fingerprint'
    | 'wrong_nonce'
  message: string
}

/** What a licence is held against, beside the time. What is undefined is not asked. */
export interface Expectations {
  issuer?: string | undefined
  audience?: string | undefined
  /** As the licence has it: SHA-256 in hexadecimal. */
  fingerprint?: string | undefined
  nonce?: string | undefined
}

/** When a licence is judged. */
export interface Moment {
  /** In milliseconds. */
  now: number
  /** How much sooner than it says a licence may be valid: how far the clocks of a server and of this machine may be apart. */
  leewayMs: number
}

/** Everything for which a licence is not valid at a moment; its signature is another matter. It is expired from its exp on. */
export function judgeLicense(license: License, expected: Expectations, { now, leewayMs }: Moment): Reason[] {
  const reasons: Reason[] = []
  const refuse = (code: Reason['code'], message: string) => reasons.push({ code, message })
  const { expiresAt, notBefore, issuer, audience, fingerprint, nonce } = license
  if (expiresAt === null) refuse('malformed', 'It does not say when it expires (exp).')
  else if (now >= expiresAt)
    refuse('expired', `It expired ${relativeWords(expiresAt, now)}, ${new Date(expiresAt).toISOString()}.`)
  if (notBefore !== null && now < notBefore - leewayMs)
    refuse(
      'not_yet_valid',
      `It is not valid before ${new Date(notBefore).toISOString()} (${relativeWords(notBefore, now)}).`,
    )
  if (expected.issuer !== undefined && issuer !== expected.issuer)
    refuse('wrong_issuer', `It was issued by ${issuer ?? 'nobody it names'}, not by ${expected.issuer}.`)
  if (expected.audience !== undefined && !audience.includes(expected.audience))
    refuse('wrong_audience', `It is for ${audience.join(', ') || 'nobody it names'}, not for ${expected.audience}.`)
  if (expected.fingerprint !== undefined && fingerprint !== expected.fingerprint)
    refuse('wrong_fingerprint', 'It is for a device with another fingerprint.')
  if (expected.nonce !== undefined && nonce !== expected.nonce)
    refuse('wrong_nonce', 'It answers another request: the nonce is not the one of the request.')
  return reasons
}
