import type { TrustedIssuer } from '../settings/contract.ts'
import type { CompactToken } from '../tokens/compact-token.ts'
import { leewaySeconds } from '../tokens/short-lived.ts'

/** What a token of an outside OpenID issuer says, as far as it matters here (OpenID Connect Core §2, RFC 9068 §2.2). */
export interface OutsideClaims {
  iss: string
  sub: string
  audiences: readonly string[]
  exp: number
  /** The latest of the instants before which it is not to be used, in seconds. */
  notBefore: number
  /** Absent unless the issuer has verified it. */
  verifiedEmail?: string
  amr: readonly string[]
}

/** Whether a header is that of an ID token or a JWT access token: no other kind stands in for one. */
export const isOutsideType = ({ typ }: CompactToken['header']) =>
  typ === undefined || (typeof typ === 'string' && /^(application\/)?(at\+)?jwt$/i.test(typ))

/** The claims of an outside token's payload, none of them judged; undefined when one is not of its form. */
export function readOutsideClaims(payload: CompactToken['payload']): OutsideClaims | undefined {
  const { iss, sub, aud, exp, iat = 0, nbf = 0, email, email_verified, amr } = payload
  const audiences = Array.isArray(aud) ? aud : [aud]
  if (typeof iss !== 'string' || typeof sub !== 'string' || sub.length < 1 || sub.length > 255) return undefined
  if (!audiences.every((one) => typeof one === 'string')) return undefined
  if (![exp, iat, nbf].every((time) => typeof time === 'number')) return undefined
  // Some issuers write the boolean as text.
  const isVerified = typeof email === 'string' && (email_verified === true || email_verified === 'true')
  return {
    iss,
    sub,
    audiences,
    exp: exp as number,
    notBefore: Math.max(iat as number, nbf as number),
    ...(isVerified ? { verifiedEmail: email } : {}),
    amr: Array.isArray(amr) ? amr.filter((method) => typeof method === 'string') : [],
  }
}

/** The trusted issuer that a token is of, for an audience of ours and good at `now` (milliseconds of the tenant's clock); undefined for any other. */
export function findTrusted(
  trusted: readonly TrustedIssuer[],
  { iss, audiences, exp, notBefore }: OutsideClaims,
  now: number,
): TrustedIssuer | undefined {
  const seconds = now / 1000
  if (exp <= seconds || notBefore > seconds + leewaySeconds) return undefined
  return trusted.find(({ issuer, audience }) => issuer === iss && audiences.includes(audience))
}
