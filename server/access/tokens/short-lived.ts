import type { CompactToken } from './compact-token.ts'
import { isIssuer } from './issuer.ts'

/** How long the tokens live that the API itself is called with: a client's and a user's. */
export const shortLivedSeconds = 900
/** How far another process's clock may be ahead of ours. */
export const leewaySeconds = 60

/** The audience of an issuer's short-lived tokens: its REST interface. */
export const audienceOf = (issuer: string) => `${issuer}/api/v1`

/** What every short-lived token says. */
export interface ShortLivedClaims {
  iss: string
  aud: string
  sub: string
  tid: string
  jti: string
  iat: number
  exp: number
}

/** Whether a payload has these claims, each of its kind; none of them is judged. They are good at once: one with `nbf` is none of ours. */
export const hasShortLivedClaims = ({ iss, aud, sub, tid, jti, iat, exp, nbf }: CompactToken['payload']): boolean =>
  [iss, aud, sub, tid, jti].every((text) => typeof text === 'string') &&
  [iat, exp].every((seconds) => Number.isSafeInteger(seconds)) &&
  nbf === undefined

/** Whether a short-lived token is of this tenant, for it, and good at `now` (milliseconds of the tenant's clock). */
export function isGoodNow(
  claims: ShortLivedClaims,
  tenant: { id: string },
  issuers: readonly string[],
  now: number,
): boolean {
  const seconds = now / 1000
  return (
    claims.tid === tenant.id &&
    isIssuer(issuers, claims.iss) &&
    claims.aud === audienceOf(claims.iss) &&
    claims.iat <= seconds + leewaySeconds &&
    claims.exp > seconds &&
    claims.exp - claims.iat <= shortLivedSeconds
  )
}
