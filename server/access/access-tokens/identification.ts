import { RecentlyUsed } from '../../kit/recently-used.ts'
import { findClient } from '../clients/store.ts'
import { intersectScopes } from '../scopes/intersection.ts'
import { type Identifier, refuseToken } from '../tokens/authentication.ts'
import { tokenVerifier } from '../tokens/verification.ts'
import { accessTokenRules } from './claims.ts'

/** What a token's scopes and a client's have in common, worked out once for each pair. */
const common = new RecentlyUsed<readonly string[]>(1000)

function scopesOf(asked: string, registered: readonly string[]): readonly string[] {
  const pair = `${asked}\n${registered.join(' ')}`
  const known = common.get(pair)
  if (known) return known
  const scopes = intersectScopes(asked.split(' '), registered)
  common.set(pair, scopes)
  return scopes
}

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
    scopes: scopesOf(claims.scope ?? '', client.scopes),
  }
}
