import type { Database } from '../../database/database.ts'
import type { Caller, Tenant } from '../../kit/context.ts'
import { Problem } from '../../kit/problem.ts'
import { findClient } from '../clients/store.ts'
import { intersectScopes } from '../scopes/intersection.ts'
import { verifyAccessToken } from './verification.ts'

/** What is needed to know who is calling. */
export interface Presented {
  database: Database
  tenant: Tenant
  issuers: readonly string[]
  /** Now on the tenant's clock. */
  now: number
  /** Every Authorization header of the request. */
  authorization: readonly string[]
}

/**
 * Who is calling: anyone without an Authorization header, else the client whose access token it holds, with the scopes
 * that the token has and the client is registered for at this moment. Anything else is 401 `auth.unauthenticated`.
 */
export async function authenticate(request: Presented): Promise<Caller> {
  const { database, tenant, authorization } = request
  if (authorization.length === 0) return { kind: 'anyone' }
  if (authorization.length > 1) throw refuse('The request has more than one Authorization header.')
  const token = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization[0]!)?.[1]
  if (token === undefined) throw refuse('The Authorization header does not hold a bearer token.')
  const claims = await verifyAccessToken(database, tenant, request.issuers, token, request.now)
  if (!claims) throw refuse('The token is malformed, expired, or not an access token of this tenant.')
  const client = await findClient(database.read, tenant.id, claims.client_id)
  if (!client) throw refuse('The client that this token was issued to is gone.')
  return {
    kind: 'client',
    clientId: client.id,
    name: client.name,
    scopes: intersectScopes(claims.scope?.split(' ') ?? [], client.scopes),
  }
}

const refuse = (detail: string) =>
  new Problem('auth.unauthenticated', detail, { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } })
