import { getCurrentSigner, signJwt } from '../../access/signing-keys/signer.ts'
import { audienceOf } from '../../access/tokens/short-lived.ts'
import type { Readable } from '../../database/database.ts'
import { newId } from '../../kit/ids.ts'
import type { Sealer } from '../../kit/sealing.ts'
import { type CallbackTokenClaims, callbackSeconds, callbackTokenType } from './claims.ts'

/** Whose token it is, and when it is made on the tenant's clock (milliseconds). */
interface Issuing {
  read: Readable
  sealer: Sealer
  tenantId: string
  /** The tenant's base URL as its tokens name it. */
  baseUrl: string
  now: number
}

/** A token with which who gets a delivery may call back for five minutes, with the scopes that the subscription asked for. */
export async function issueCallbackToken(
  { read, sealer, tenantId, baseUrl, now }: Issuing,
  subscription: { id: string; callbackScopes: readonly string[] },
): Promise<string> {
  const issuedAt = Math.floor(now / 1000)
  const claims: CallbackTokenClaims = {
    iss: baseUrl,
    aud: audienceOf(baseUrl),
    sub: subscription.id,
    tid: tenantId,
    jti: newId(),
    iat: issuedAt,
    exp: issuedAt + callbackSeconds,
    scope: subscription.callbackScopes.join(' '),
  }
  return signJwt(await getCurrentSigner(read, sealer, tenantId, 'token'), callbackTokenType, claims)
}
