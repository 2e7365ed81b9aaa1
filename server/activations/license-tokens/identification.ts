import type { Identifier } from '../../access/tokens/authentication.ts'
import { tokenVerifier } from '../../access/tokens/verification.ts'
import { licenseTokenRules } from './claims.ts'

const verify = tokenVerifier(licenseTokenRules)

/** The session whose license token it is. Whether the session is still valid is asked where it acts, with its row at hand. */
export const identifySession: Identifier = async (presented, token) => {
  const claims = await verify(presented, token)
  return claims && { kind: 'session', sessionId: claims.sub, entitlementId: claims.entitlement_id }
}
