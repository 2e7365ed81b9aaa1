import type { CompactToken } from '../../access/tokens/compact-token.ts'
import { isGoodNow } from '../../access/tokens/short-lived.ts'
import type { TokenRules } from '../../access/tokens/verification.ts'

export const callbackTokenType = 'callback+jwt'

/** How long a callback token lives. */
export const callbackSeconds = 300

/** What a callback token says: of which subscription's deliveries it came with one, and what may be done with it. */
export interface CallbackTokenClaims {
  iss: string
  aud: string
  sub: string
  tid: string
  jti: string
  iat: number
  exp: number
  scope: string
}

/** The claims of a callback token's payload, each of its kind and none of them judged. */
function readClaims(payload: CompactToken['payload']): CallbackTokenClaims | undefined {
  const { iss, aud, sub, tid, jti, iat, exp, nbf, scope } = payload
  const texts = [iss, aud, sub, tid, jti, scope]
  if (!texts.every((text) => typeof text === 'string') || nbf !== undefined) return undefined
  if (!Number.isSafeInteger(iat) || !Number.isSafeInteger(exp)) return undefined
  return payload as unknown as CallbackTokenClaims
}

/** What makes a token a callback token. */
export const callbackTokenRules: TokenRules<CallbackTokenClaims> = {
  type: callbackTokenType,
  readClaims,
  isGood: (claims, tenant, issuers, now) =>
    claims.exp - claims.iat <= callbackSeconds && isGoodNow(claims, tenant, issuers, now),
}
