import type { CompactToken } from '../tokens/compact-token.ts'
import { isGoodNow } from '../tokens/short-lived.ts'
import type { TokenRules } from '../tokens/verification.ts'

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

/** The claims of an access token's payload, each of its kind and none of them judged. */
function readClaims(payload: CompactToken['payload']): AccessTokenClaims | undefined {
  const { iss, aud, sub, client_id, tid, jti, iat, exp, nbf, scope } = payload
  const texts = [iss, aud, sub, client_id, tid, jti, scope ?? '']
  if (!texts.every((text) => typeof text === 'string') || nbf !== undefined) return undefined
  if (!Number.isSafeInteger(iat) || !Number.isSafeInteger(exp) || sub !== client_id) return undefined
  return payload as unknown as AccessTokenClaims
}

/** What makes a token a client's access token (RFC 9068). */
export const accessTokenRules: TokenRules<AccessTokenClaims> = { type: accessTokenType, readClaims, isGood: isGoodNow }
