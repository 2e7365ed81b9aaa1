import type { RequestContext } from '../../kit/context.ts'
import { query } from '../../kit/procedure.ts'
import { knownScopes } from '../scopes/known-scopes.ts'
import { selectSigningKeys } from '../signing-keys/store.ts'
import { getAuthorizationServer, getJwks, getOpenidConfiguration } from './contract.ts'

const cacheForMinutes = (answer: RequestContext['answer']) => {
  answer.headers['cache-control'] = 'public, max-age=300'
}

const metadataOf = (issuer: string) => ({
  issuer,
  token_endpoint: `${issuer}/auth/connect/token`,
  jwks_uri: `${issuer}/.well-known/jwks.json`,
  grant_types_supported: ['client_credentials'],
  response_types_supported: [],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  scopes_supported: knownScopes.map(({ scope }) => scope),
  service_documentation: `${issuer}/docs`,
})

export const discoveryProcedures = {
  jwks: query(getJwks, async ({ read, tenant, now, answer }) => {
    cacheForMinutes(answer)
    const keys = await selectSigningKeys(read, tenant.id).orderBy('created_at').orderBy('id').execute()
    return {
      keys: keys
        .filter(({ verifies_until }) => verifies_until === null || verifies_until > now)
        .map(({ public_jwk }) => JSON.parse(public_jwk) as Record<string, unknown>),
    }
  }),
  authorizationServer: query(getAuthorizationServer, async ({ baseUrl, answer }) => {
    cacheForMinutes(answer)
    return metadataOf(baseUrl)
  }),
  openidConfiguration: query(getOpenidConfiguration, async ({ baseUrl, answer }) => {
    cacheForMinutes(answer)
    return {
      ...metadataOf(baseUrl),
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    }
  }),
}
