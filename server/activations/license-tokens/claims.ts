import { hash } from 'node:crypto'
import type { CompactToken } from '../../access/tokens/compact-token.ts'
import { isIssuer } from '../../access/tokens/issuer.ts'
import { leewaySeconds } from '../../access/tokens/short-lived.ts'
import type { TokenRules } from '../../access/tokens/verification.ts'
import type { StoredFeature } from '../../entitlements/entitlements/stored.ts'
import { isSwitchedOn } from '../../entitlements/entitlements/switched-on.ts'
import { newId } from '../../kit/ids.ts'
import { fromInstant } from '../../kit/instants.ts'
import type { Licensed } from '../sessions/licensed.ts'

export const licenseTokenType = 'license+jwt'

/** What a license token says; every time in it is a NumericDate (RFC 7519 §2), seconds since the epoch. */
export interface LicenseTokenClaims {
  iss: string
  aud: string
  /** The session. */
  sub: string
  jti: string
  iat: number
  nbf: number
  /** The end of grace, which is never after the end of the entitlement. */
  exp: number
  /** When the lease is over and grace begins. */
  lease_exp: number
  grace_exp: number
  entitlement_id: string
  tenant_id: string
  /** SHA-256 of the device's fingerprint, hex. */
  fingerprint: string
  trial: boolean
  products: { id: string; code: string; version: string | null }[]
  features: LicensedFeature[]
  /** The name of the plan. */
  plan: string | null
  application_scope: string | null
}

interface LicensedFeature {
  code: string
  type: StoredFeature['featureType']
  value: string | null
  enabled: boolean
  /** A feature that grace does not have ends with the lease. */
  expires: number | null
}

/** The claims of a new license token of a session, issued at `now` (milliseconds of the tenant's clock). */
export function licenseClaims(
  { session, entitlement, products }: Licensed,
  { baseUrl, tenantId, now }: { baseUrl: string; tenantId: string; now: number },
): LicenseTokenClaims {
  const issuedAt = toSeconds(now)
  const leaseEnd = toSeconds(session.lease_expires_at)
  const graceEnd = toSeconds(session.grace_expires_at)
  const isTrial = session.is_trial === 1
  return {
    iss: baseUrl,
    aud: baseUrl,
    sub: session.id,
    jti: newId(),
    iat: issuedAt,
    nbf: issuedAt,
    exp: graceEnd,
    lease_exp: leaseEnd,
    grace_exp: graceEnd,
    entitlement_id: session.entitlement_id,
    tenant_id: tenantId,
    fingerprint: hash('sha256', session.fingerprint, 'hex'),
    trial: isTrial,
    products: products.map(({ id, code, version }) => ({ id, code, version })),
    features: licensedFeatures(entitlement.features, { isTrial, leaseEnd, graceEnd, now }),
    plan: session.plan_name,
    application_scope: session.application_scope,
  }
}

/** The features that the token names: those marked for it; one that is over, or that a trial does not have, is switched off. */
function licensedFeatures(
  features: readonly StoredFeature[],
  { isTrial, leaseEnd, graceEnd, now }: { isTrial: boolean; leaseEnd: number; graceEnd: number; now: number },
): LicensedFeature[] {
  return features
    .filter(({ includeInLicenseToken }) => includeInLicenseToken)
    .map((feature) => {
      const overAt = fromInstant(feature.featureExpiration)
      const ends = [
        overAt === null ? null : toSeconds(overAt),
        feature.isAvailableDuringGracePeriod || leaseEnd === graceEnd ? null : leaseEnd,
      ].filter((end) => end !== null)
      return {
        code: feature.featureCode,
        type: feature.featureType,
        value: feature.value,
        enabled: isSwitchedOn(feature, isTrial, now),
        expires: ends.length === 0 ? null : Math.min(...ends),
      }
    })
}

const toSeconds = (millis: number) => Math.floor(millis / 1000)

/** Kept for every token that was verified, so without what grows with the product. */
type SessionClaims = Pick<
  LicenseTokenClaims,
  'iss' | 'aud' | 'sub' | 'jti' | 'entitlement_id' | 'tenant_id' | 'iat' | 'nbf' | 'exp'
>

/** The claims by which a session is known again, each of its form and none of them judged. */
function readClaims(payload: CompactToken['payload']): SessionClaims | undefined {
  const { iss, aud, sub, jti, entitlement_id, tenant_id, iat, nbf, exp } = payload
  if (![iss, aud, sub, jti, entitlement_id, tenant_id].every((text) => typeof text === 'string')) return undefined
  if (![iat, nbf, exp].every((seconds) => Number.isSafeInteger(seconds))) return undefined
  return { iss, aud, sub, jti, entitlement_id, tenant_id, iat, nbf, exp } as SessionClaims
}

/** Whether the token is of this tenant, for it, and good at `now` (milliseconds of the tenant's clock). */
function isGood(claims: SessionClaims, tenant: { id: string }, issuers: readonly string[], now: number): boolean {
  const seconds = now / 1000
  return (
    claims.tenant_id === tenant.id &&
    isIssuer(issuers, claims.iss) &&
    claims.aud === claims.iss &&
    claims.iat <= seconds + leewaySeconds &&
    claims.nbf <= seconds + leewaySeconds &&
    claims.exp > seconds
  )
}

/** What makes a token a session's license token. */
export const licenseTokenRules: TokenRules<SessionClaims> = { type: licenseTokenType, readClaims, isGood }
