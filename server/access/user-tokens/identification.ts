import { type Identifier, type Presented, refuseToken } from '../tokens/authentication.ts'
import { readCompactToken } from '../tokens/compact-token.ts'
import { tokenVerifier } from '../tokens/verification.ts'
import { findUserStanding } from '../users/standing.ts'
import { userTokenRules, userTokenType } from './claims.ts'
import { findOutsideUser } from './outside-identification.ts'

const verify = tokenVerifier(userTokenRules)

/**
 * The end user whose token it is: one of ours, or of an outside issuer that the tenant trusts. One who was deleted or
 * disabled since has none. It may fetch an issuer's keys and write, so it is never asked inside a transaction.
 */
export const identifyUser: Identifier = async (presented, token) => {
  const said = await readUser(presented, token)
  if (!said) return undefined
  const user = await findUserStanding(presented.database.read, presented.tenant.id, said.userId)
  if (!user || user.isDisabled) throw refuseToken('The user that this token was issued to is gone or disabled.')
  return { kind: 'user', userId: user.id, email: user.email, level: said.level }
}

async function readUser(presented: Presented, token: string) {
  const parts = readCompactToken(token)
  if (!parts) return undefined
  if (parts.header.typ !== userTokenType) return findOutsideUser(presented, token, parts)
  const claims = await verify(presented, token)
  return claims && { userId: claims.sub, level: claims.acr }
}
