import { type TProperties, Type } from 'typebox'
import { contract } from '../../kit/contract.ts'

const Texts = () => Type.Array(Type.String())

export const getJwks = contract({
  name: 'discovery.jwks',
  method: 'GET',
  path: '/.well-known/jwks.json',
  access: 'anyone',
  summary: 'The public keys that verify what this tenant signs',
  description: 'A JWK Set (RFC 7517). A replaced key stays until nothing it signed can still be in use.',
  answer: Type.Object({ keys: Type.Array(Type.Record(Type.String(), Type.Unknown())) }),
})

const serverMetadata = {
  issuer: Type.String(),
  token_endpoint: Type.String(),
  jwks_uri: Type.String(),
  grant_types_supported: Texts(),
  response_types_supported: Texts(),
  token_endpoint_auth_methods_supported: Texts(),
  scopes_supported: Texts(),
  service_documentation: Type.String(),
} satisfies TProperties

export const getAuthorizationServer = contract({
  name: 'discovery.authorizationServer',
  method: 'GET',
  path: '/.well-known/oauth-authorization-server',
  access: 'anyone',
  summary: 'Where and how to get an access token',
  description: 'Authorization server metadata (RFC 8414 §2).',
  answer: Type.Object(serverMetadata),
})

export const getOpenidConfiguration = contract({
  name: 'discovery.openidConfiguration',
  method: 'GET',
  path: '/.well-known/openid-configuration',
  access: 'anyone',
  summary: 'The same as OpenID Connect Discovery has it',
  answer: Type.Object({
    ...serverMetadata,
    subject_types_supported: Texts(),
    id_token_signing_alg_values_supported: Texts(),
  }),
})
