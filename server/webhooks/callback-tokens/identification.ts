import { scopesLeft } from '../../access/scopes/scopes-left.ts'
import { type Identifier, refuseToken } from '../../access/tokens/authentication.ts'
import { tokenVerifier } from '../../access/tokens/verification.ts'
import { callbackTokenRules } from './claims.ts'
import { findCallbackScopes } from './store.ts'

const verify = tokenVerifier(callbackTokenRules)

/** The subscription whose callback token it is, with the scopes that the token has and the subscription still asks for. */
export const identifyCallback: Identifier = async (presented, token) => {
  const claims = await verify(presented, token)
  if (!claims) return undefined
  const registered = await findCallbackScopes(presented.database.read, presented.tenant.id, claims.sub)
  if (!registered) throw refuseToken('The subscription that this token was issued to is gone or not active.')
  return { kind: 'callback', subscriptionId: claims.sub, scopes: scopesLeft(claims.scope, registered) }
}
