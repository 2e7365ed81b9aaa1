import type { AuthenticationLevel } from '../../kit/context.ts'
import type { CompactToken } from '../tokens/compact-token.ts'
import { isGoodNow } from '../tokens/short-lived.ts'
import type { TokenRules } from '../tokens/verification.ts'

export const userTokenType = 'user+jwt'

/** How well a sign-in proves who somebody is, from least to most. */
export const signInLevels = ['SignedIn', 'EmailVerified', 'MultiFactor'] as const satisfies AuthenticationLevel[]
export type SignInLevel = (typeof signInLevels)[number]

/** What an end user's token says. */
export interface UserTokenClaims {
  iss: string
  aud: string
  /** The user's id. */
  sub: string
  tid: string
  jti: string
  iat: number
  exp: number
  /** How well the sign-in proved who it is (RFC 9068 §2.2.1). */
  acr: SignInLevel
}

function readClaims(payload: CompactToken['payload']): UserTokenClaims | undefined {
  const { iss, aud, sub, tid, jti, iat, exp, nbf, acr } = payload
  if (![iss, aud, sub, tid, jti, acr].every((text) => typeof text === 'string') || nbf !== undefined) return undefined
  if (!Number.isSafeInteger(iat) || !Number.isSafeInteger(exp)) return undefined
  return (signInLevels as readonly unknown[]).includes(acr) ? (payload as unknown as UserTokenClaims) : undefined
}

/** What makes a token an end user's. */
export const userTokenRules: TokenRules<UserTokenClaims> = { type: userTokenType, readClaims, isGood: isGoodNow }
