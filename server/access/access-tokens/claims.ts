import type { CompactToken } from './compact-token.ts'

/** How long an access token lives. */
export const accessTokenSeconds = 900
/** How far another process's clock may be ahead of ours. */
export const leewaySeconds = 60

export const accessTokenType = 'at+jwt'
export const accessTokenAlgorithm = 'ES256'

/** What a client's access token says (RFC 9068 §2.2), and whose tenant it is of. */
export interface AccessTokenClaims {
  iss: string
  aud: string
  sub: string
  client_id: string
  tid: string
  jti: string
  iat: number
  exp: number
  /** Absent when no scope was asked for. */
  scope?: string
}

/** The audience of an issuer's access tokens: its REST interface. */
export const audienceOf = (issuer: string) => `${issuer}/api/v1`

/** The key id of a header that is exactly an access token's: its type and algorithm, a kid, and nothing else (no crit, no jku, no jwk). */
export function readAccessTokenHeader(header: CompactToken['header']): string | undefined {
  const { typ, alg, kid } = header
  if (typ !== accessTokenType || alg !== accessTokenAlgorithm || Object.keys(header).length !== 3) return undefined
  return typeof kid === 'string' && /^[A-Za-z0-9_-]{1,100}$/.test(kid) ? kid : undefined
}

/** The claims of an access token's payload, each of its kind and none of them judged. */
export function readAccessTokenClaims(payload: CompactToken['payload']): AccessTokenClaims | undefined {
  const { iss, aud, sub, client_id, tid, jti, iat, exp, nbf, scope } = payload
  const texts = [iss, aud, sub, client_id, tid, jti, scope ?? '']
  if (!texts.every((text) => typeof text === 'string') || nbf !== undefined) return undefined
  if (!Number.isSafeInteger(iat) || !Number.isSafeInteger(exp) || sub !== client_id) return undefined
  return payload as unknown as AccessTokenClaims
}

/** Whether the token is of this tenant, for it, and good at `now` (milliseconds of the tenant's clock). */
export function isGoodNow(
  claims: AccessTokenClaims,
  tenant: { id: string },
  issuers: readonly string[],
  now: number,
): boolean {
  const seconds = now / 1000
  return (
    claims.tid === tenant.id &&
    issuers.includes(claims.iss) &&
    claims.aud === audienceOf(claims.iss) &&
    claims.iat <= seconds + leewaySeconds &&
    claims.exp > seconds &&
    claims.exp - claims.iat <= accessTokenSeconds
  )
}
