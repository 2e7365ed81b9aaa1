import { findClient } from '../clients/store.ts'
import { scopesLeft } from '../scopes/scopes-left.ts'
import { type Identifier, refuseToken } from '../tokens/authentication.ts'
import { tokenVerifier } from '../tokens/verification.ts'
import { accessTokenRules } from './claims.ts'

const verify = tokenVerifier(accessTokenRules)

/** The client whose access token it is, with the scopes that the token has and the client is registered for at this moment. */
export const identifyClient: Identifier = async (presented, token) => {
  const { database, tenant } = presented
  const claims = await verify(presented, token)
  if (!claims) return undefined
  const client = await findClient(database.read, tenant.id, claims.client_id)
  if (!client) throw refuseToken('The client that this token was issued to is gone.')
  return {
    kind: 'client',
    clientId: client.id,
    name: client.name,
    scopes: scopesLeft(claims.scope ?? '', client.scopes),
  }
}
