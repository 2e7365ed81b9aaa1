import { type Identifier, refuseToken } from '../tokens/authentication.ts'
import { tokenVerifier } from '../tokens/verification.ts'
import { findUserStanding } from '../users/standing.ts'
import { userTokenRules } from './claims.ts'

const verify = tokenVerifier(userTokenRules)

/** The end user whose token it is; one who was deleted or shut out since has none. */
export const identifyUser: Identifier = async (presented, token) => {
  const claims = await verify(presented, token)
  if (!claims) return undefined
  const user = await findUserStanding(presented.database.read, presented.tenant.id, claims.sub)
  if (!user || user.isDisabled) throw refuseToken('The user that this token was issued to is gone or disabled.')
  return { kind: 'user', userId: user.id, email: user.email, level: claims.acr }
}
