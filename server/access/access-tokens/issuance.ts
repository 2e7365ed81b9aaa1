import type { RequestContext } from '../../kit/context.ts'
import { newId } from '../../kit/ids.ts'
import { getSigner, signJwt } from '../signing-keys/signer.ts'
import { audienceOf, shortLivedSeconds } from '../tokens/short-lived.ts'
import { accessTokenType } from './claims.ts'

/** A signed access token (RFC 9068) of the request's tenant for one of its clients, by the tenant's key of that id; without scopes it has no scope claim. */
export async function issueAccessToken(
  context: Pick<RequestContext, 'database' | 'sealer' | 'tenant' | 'baseUrl' | 'now'>,
  kid: string,
  client: { clientId: string; scopes: readonly string[] },
): Promise<string> {
  const signer = await getSigner(context.database.read, context.sealer, context.tenant.id, kid)
  const issuedAt = Math.floor(context.now / 1000)
  return signJwt(signer, accessTokenType, {
    iss: context.baseUrl,
    aud: audienceOf(context.baseUrl),
    sub: client.clientId,
    client_id: client.clientId,
    tid: context.tenant.id,
    jti: newId(),
    iat: issuedAt,
    exp: issuedAt + shortLivedSeconds,
    ...(client.scopes.length > 0 ? { scope: client.scopes.join(' ') } : {}),
  })
}
