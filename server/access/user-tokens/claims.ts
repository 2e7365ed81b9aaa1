import type { AuthenticationLevel } from '../../kit/context.ts'
import type { CompactToken } from '../tokens/compact-token.ts'
import { hasShortLivedClaims, isGoodNow, type ShortLivedClaims } from '../tokens/short-lived.ts'
import type { TokenRules } from '../tokens/verification.ts'

export const userTokenType = 'user+jwt'

/** How well a sign-in proves who somebody is, from least to most. */
export const signInLevels = ['SignedIn', 'EmailVerified', 'MultiFactor'] as const satisfies AuthenticationLevel[]
export type SignInLevel = (typeof signInLevels)[number]

/** What an end user's token says. */
export interface UserTokenClaims extends ShortLivedClaims {
  /** The user's id. */
  sub: string
  /** How well the sign-in proved who it is (RFC 9068 §2.2.1). */
  acr: SignInLevel
}

function readClaims(payload: CompactToken['payload']): UserTokenClaims | undefined {
  const isOne = hasShortLivedClaims(payload) && (signInLevels as readonly unknown[]).includes(payload.acr)
  return isOne ? (payload as unknown as UserTokenClaims) : undefined
}

/** What makes a token an end user's. */
export const userTokenRules: TokenRules<UserTokenClaims> = { type: userTokenType, readClaims, isGood: isGoodNow }
