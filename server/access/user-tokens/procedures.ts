import { newId } from '../../kit/ids.ts'
import { invalid, recordNotFound } from '../../kit/problem.ts'
import { mutation } from '../../kit/procedure.ts'
import { getCurrentSigner, signJwt } from '../signing-keys/signer.ts'
import { audienceOf, shortLivedSeconds } from '../tokens/short-lived.ts'
import { findUserStanding } from '../users/standing.ts'
import { type UserTokenClaims, userTokenType } from './claims.ts'
import { issueUserTokenContract } from './contract.ts'

/** A token for a user whom the vendor's backend has signed in. */
export const issueUserToken = mutation(issueUserTokenContract, async (context, { id, level }) => {
  const { tx, sealer, tenant, baseUrl, now } = context
  const user = await findUserStanding(tx, tenant.id, id)
  if (!user) throw recordNotFound('user')
  if (user.isDisabled) throw invalid([{ pointer: 'id', message: 'the user is disabled' }])
  const issuedAt = Math.floor(now / 1000)
  const claims: UserTokenClaims = {
    iss: baseUrl,
    aud: audienceOf(baseUrl),
    sub: user.id,
    tid: tenant.id,
    jti: newId(),
    iat: issuedAt,
    exp: issuedAt + shortLivedSeconds,
    acr: level ?? (user.emailVerified ? 'EmailVerified' : 'SignedIn'),
  }
  const signer = await getCurrentSigner(tx, sealer, tenant.id, 'token')
  const access_token = signJwt(signer, userTokenType, claims)
  return { access_token, token_type: 'Bearer', expires_in: shortLivedSeconds }
})
