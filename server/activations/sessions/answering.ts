import { getProvider } from '../../access/settings/provider.ts'
import { getCurrentPublicKey, getPublicKey } from '../../access/signing-keys/public-keys.ts'
import { signJwt } from '../../access/signing-keys/signer.ts'
import type { Readable } from '../../database/database.ts'
import type { RequestContext } from '../../kit/context.ts'
import { toInstant } from '../../kit/instants.ts'
import { licenseClaims, licenseTokenType } from '../license-tokens/claims.ts'
import type { Done } from './batch.ts'
import type { LicenseAnswer } from './contract.ts'
import { toWire } from './wire.ts'

const claimsOf = (done: Done, { baseUrl, tenant }: RequestContext) =>
  licenseClaims(done, { baseUrl, tenantId: tenant.id, now: done.now })

const recordOf = (done: Done) =>
  toWire(
    done.session,
    {
      activationCode: done.activationCode,
      licenseKey: done.entitlement.licenseKey,
      isEntitlementGood: done.isEntitlementGood,
      seatPolicy: done.seatPolicy,
    },
    done.now,
  )

/** A new license token alone. */
export const answerToken = (done: Done, context: RequestContext) => ({
  token: signJwt(done.signer!, licenseTokenType, claimsOf(done, context)),
})

/** Everything that an application keeps of its licence. */
export async function answerLicense(read: Readable, done: Done, context: RequestContext): Promise<LicenseAnswer> {
  const { tenant } = context
  const { id, name, version, legalNoticeHtml } = done.entitlement
  const claims = claimsOf(done, context)
  const { jwk: _, ...offlinePublicKey } = await getCurrentPublicKey(read, tenant.id, 'offline')
  return {
    token: signJwt(done.signer!, licenseTokenType, claims),
    session: recordOf(done),
    entitlement: { id, name, version },
    provider: await getProvider(read, tenant),
    legalNoticeHtml,
    licensedProductIds: claims.products.map((product) => product.id),
    products: claims.products,
    features: claims.features,
    publicKey: await getPublicKey(read, tenant.id, done.signer!.kid),
    offlinePublicKey,
  }
}

/** A renewed lease. */
export const answerRenewal = (done: Done, context: RequestContext) => ({
  ...answerToken(done, context),
  session: recordOf(done),
})

/** A check-in, and when the next one is due. */
export function answerCheckIn(done: Done) {
  const { lease_expires_at, grace_expires_at, seat_until } = done.session
  const end = lease_expires_at > done.now ? lease_expires_at : grace_expires_at
  return {
    session: recordOf(done),
    serverTime: toInstant(done.now),
    checkInBefore: toInstant(seat_until === null ? end : Math.min(end, seat_until)),
  }
}

/** A release, the same however often it is asked. */
export const answerRelease = ({ session }: Done) => ({
  sessionId: session.id,
  released: true as const,
  releasedAt: toInstant(session.released_at!),
})
