/** What T6 is held against: npm's oidc-provider, answering client_credentials with an ES256 JWT. Run as a process of its own. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider } from 'oidc-provider'

const { privateKey } = await generateKeyPair('ES256', { extractable: true })
const jwk = { ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig', kid: '1' }
const resource = 'urn:licet:bench'
const provider = new Provider('http://127.0.0.1', {
  clients: [
    {
      client_id: 'bench',
      client_secret: 'bench-secret-0123456789-0123456789',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
      id_token_signed_response_alg: 'ES256',
    },
  ],
  jwks: { keys: [jwk] },
  scopes: ['admin'],
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: 'admin',
        audience: resource,
        accessTokenFormat: 'jwt',
        accessTokenTTL: 900,
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  },
})
const server = createServer(provider.callback())
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))
})
process.once('SIGTERM', () => process.exit(0))
