import type { CompactToken } from '../../access/tokens/compact-token.ts'
import { hasShortLivedClaims, isGoodNow, type ShortLivedClaims } from '../../access/tokens/short-lived.ts'
import type { TokenRules } from '../../access/tokens/verification.ts'

export const callbackTokenType = 'callback+jwt'

/** How long a callback token lives. */
export const callbackSeconds = 300

/** What a callback token says: of which subscription's deliveries it came with one, and what may be done with it. */
export interface CallbackTokenClaims extends ShortLivedClaims {
  scope: string
}

/** The claims of a callback token's payload, each of its kind and none of them judged. */
function readClaims(payload: CompactToken['payload']): CallbackTokenClaims | undefined {
  const isOne = hasShortLivedClaims(payload) && typeof payload.scope === 'string'
  return isOne ? (payload as unknown as CallbackTokenClaims) : undefined
}

/** What makes a token a callback token. */
export const callbackTokenRules: TokenRules<CallbackTokenClaims> = {
  type: callbackTokenType,
  readClaims,
  isGood: (claims, tenant, issuers, now) =>
    claims.exp - claims.iat <= callbackSeconds && isGoodNow(claims, tenant, issuers, now),
}
