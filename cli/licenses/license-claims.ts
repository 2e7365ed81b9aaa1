import { isObject } from '../json-objects.ts'

/** What a licence says, each claim in its form or null; instants in milliseconds. */
export interface License {
  issuer: string | null
  audience: string[]
  sessionId: string | null
  entitlementId: string | null
  tenantId: string | null
  issuedAt: number | null
  notBefore: number | null
  expiresAt: number | null
  leaseUntil: number | null
  graceUntil: number | null
  isTrial: boolean
  fingerprint: string | null
  plan: string | null
  applicationScope: string | null
  products: { code: string; version: string | null }[]
  features: { code: string; value: string | null; isEnabled: boolean; expiresAt: number | null }[]
  /** What ties an offline licence to its request; null in a license token. */
  nonce: string | null
  requestedAt: number | null
}

/** The claims of a license token (or of an offline licence, which has the same and a few more) as a licence. */
export function licenseOf(claims: Record<string, unknown>): License {
  return {
    issuer: textIn(claims.iss),
    audience: [claims.aud].flat().filter((one) => typeof one === 'string'),
    sessionId: textIn(claims.sub),
    entitlementId: textIn(claims.entitlement_id),
    tenantId: textIn(claims.tenant_id),
    issuedAt: instantIn(claims.iat),
    notBefore: instantIn(claims.nbf),
    expiresAt: instantIn(claims.exp),
    leaseUntil: instantIn(claims.lease_exp),
    graceUntil: instantIn(claims.grace_exp),
    isTrial: claims.trial === true,
    fingerprint: textIn(claims.fingerprint),
    plan: textIn(claims.plan),
    applicationScope: textIn(claims.application_scope),
    products: objectsIn(claims.products).map(({ code, version }) => ({
      code: textIn(code) ?? '?',
      version: textIn(version),
    })),
    features: objectsIn(claims.features).map(({ code, value, enabled, expires }) => ({
      code: textIn(code) ?? '?',
      value: textIn(value),
      isEnabled: enabled !== false,
      expiresAt: instantIn(expires),
    })),
    nonce: textIn(claims.nonce),
    requestedAt: instantIn(claims.requestedAt),
  }
}

/** A text, or another plain value as JSON has it. */
const textIn = (value: unknown): string | null =>
  value === undefined || value === null ? null : typeof value === 'string' ? value : JSON.stringify(value)

/** A NumericDate (RFC 7519 §2, seconds) or a date-time. */
function instantIn(value: unknown): number | null {
  const at = typeof value === 'number' ? value * 1000 : typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Math.abs(at) <= 8.64e15 ? at : null
}

const objectsIn = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : [])
