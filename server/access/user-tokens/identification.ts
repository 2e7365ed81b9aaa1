import type { UserCaller } from '../../kit/context.ts'
import { type Identifier, type Presented, refuseToken } from '../tokens/authentication.ts'
import { readCompactToken } from '../tokens/compact-token.ts'
import { tokenVerifier } from '../tokens/verification.ts'
import { isSameMailbox } from '../users/email-address.ts'
import { findUserStanding, type UserStanding } from '../users/standing.ts'
import { type SignInLevel, userTokenRules, userTokenType } from './claims.ts'
import { findOutsideUser } from './outside-identification.ts'
import { signInLevelOf } from './sign-in-level.ts'

const verify = tokenVerifier(userTokenRules)

/**
 * The end user whose token it is: one of ours, or of an outside issuer that the tenant trusts. One who was deleted or
 * disabled since has none. It may fetch an issuer's keys and write, so it is never asked inside a transaction.
 */
export const identifyUser: Identifier = async (presented, token) => {
  const parts = readCompactToken(token)
  if (!parts) return undefined
  if (parts.header.typ === userTokenType) {
    const claims = await verify(presented, token)
    return claims && asCaller(await getUser(presented, claims.sub), claims.acr)
  }
  const found = await findOutsideUser(presented, token, parts)
  if (!found) return undefined
  const user = await getUser(presented, found.userId)
  const { verifiedEmail, amr } = found.claims
  const isProved = verifiedEmail !== undefined && isSameMailbox(verifiedEmail, user.email)
  return asCaller(user, signInLevelOf({ emailVerified: user.emailVerified || isProved, amr }))
}

async function getUser({ database, tenant }: Presented, userId: string): Promise<UserStanding> {
  const user = await findUserStanding(database.read, tenant.id, userId)
  if (!user || user.isDisabled) throw refuseToken('The user that this token was issued to is gone or disabled.')
  return user
}

const asCaller = ({ id, email }: UserStanding, level: SignInLevel): UserCaller => ({
  kind: 'user',
  userId: id,
  email,
  level,
})
