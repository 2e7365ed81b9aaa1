import type { CompactToken } from '../tokens/compact-token.ts'
import { hasShortLivedClaims, isGoodNow, type ShortLivedClaims } from '../tokens/short-lived.ts'
import type { TokenRules } from '../tokens/verification.ts'

export const accessTokenType = 'at+jwt'

/** What a client's access token says (RFC 9068 §2.2), and whose tenant it is of. */
export interface AccessTokenClaims extends ShortLivedClaims {
  client_id: string
  /** Absent when no scope was asked for. */
  scope?: string
}

/** The claims of an access token's payload, each of its kind and none of them judged. */
function readClaims(payload: CompactToken['payload']): AccessTokenClaims | undefined {
  const { sub, client_id, scope = '' } = payload
  const isOne = hasShortLivedClaims(payload) && sub === client_id && typeof scope === 'string'
  return isOne ? (payload as unknown as AccessTokenClaims) : undefined
}

/** What makes a token a client's access token (RFC 9068). */
export const accessTokenRules: TokenRules<AccessTokenClaims> = { type: accessTokenType, readClaims, isGood: isGoodNow }
