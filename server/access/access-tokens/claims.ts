import type { CompactToken } from '../tokens/compact-token.ts'
import type { TokenRules } from '../tokens/verification.ts'

/** How long an access token lives. */
export const accessTokenSeconds = 900
/** How far another process's clock may be ahead of ours. */
export const leewaySeconds = 60

export const accessTokenType = 'at+jwt'

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

/** The claims of an access token's payload, each of its kind and none of them judged. */
function readClaims(payload: CompactToken['payload']): AccessTokenClaims | undefined {
  const { iss, aud, sub, client_id, tid, jti, iat, exp, nbf, scope } = payload
  const texts = [iss, aud, sub, client_id, tid, jti, scope ?? '']
  if (!texts.every((text) => typeof text === 'string') || nbf !== undefined) return undefined
  if (!Number.isSafeInteger(iat) || !Number.isSafeInteger(exp) || sub !== client_id) return undefined
  return payload as unknown as AccessTokenClaims
}

/** Whether the token is of this tenant, for it, and good at `now` (milliseconds of the tenant's clock). */
function isGood(claims: AccessTokenClaims, tenant: { id: string }, issuers: readonly string[], now: number): boolean {
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

/** What makes a token a client's access token (RFC 9068). */
export const accessTokenRules: TokenRules<AccessTokenClaims> = { type: accessTokenType, readClaims, isGood }
