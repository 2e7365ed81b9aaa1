import { createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto'
import type { Tenant } from '../../kit/context.ts'
import { RecentlyUsed } from '../../kit/recently-used.ts'
import { findVerifyingKey } from '../signing-keys/store.ts'
import type { Presented } from './authentication.ts'
import { type CompactToken, readCompactToken } from './compact-token.ts'
import { readTokenHeader } from './token-header.ts'

/** Of an ES256 signature: R and S, 32 bytes each (RFC 7518 §3.4). */
const signatureLength = 64

/** What makes a token one of its kind. */
export interface TokenRules<Claims> {
  /** The `typ` of its header. */
  type: string
  /** The claims of a payload, each of its form and none of them judged; undefined when one is not. */
  readClaims(payload: CompactToken['payload']): Claims | undefined
  /** Whether the token is of this tenant, for it, and good at `now` (milliseconds of the tenant's clock). */
  isGood(claims: Claims, tenant: Pick<Tenant, 'id'>, issuers: readonly string[], now: number): boolean
}

/**
 * Verifies tokens of one kind, signed by the tenant's own keys: the claims, or undefined for any other text. A signature
 * is checked once; whether the claims are good is asked each time.
 */
export function tokenVerifier<Claims>(rules: TokenRules<Claims>) {
  const verified = new RecentlyUsed<{ tenantId: string; token: string; claims: Claims }>(10_000)
  const verifyAnew = async ({ database, tenant, issuers, now }: Presented, token: string) => {
    const parts = readCompactToken(token)
    const kid = parts && readTokenHeader(parts.header, rules.type)
    const claims = parts && rules.readClaims(parts.payload)
    if (kid === undefined || !claims || !rules.isGood(claims, tenant, issuers, now)) return undefined
    const publicJwk = await findVerifyingKey(database.read, tenant.id, 'token', kid, now)
    if (publicJwk === undefined || !isSignedBy(publicJwk, token)) return undefined
    verified.set(keyOf(token), { tenantId: tenant.id, token, claims })
    return claims
  }
  return (presented: Presented, token: string): Claims | undefined | Promise<Claims | undefined> => {
    const { tenant, issuers, now } = presented
    const known = verified.get(keyOf(token))
    if (known?.token !== token || known.tenantId !== tenant.id) return verifyAnew(presented, token)
    return rules.isGood(known.claims, tenant, issuers, now) ? known.claims : undefined
  }
}

/** The second half of a signature. */
const keyOf = (token: string) => token.slice(-43)

/** Keys ready to verify with, by their JWK: making one costs as much as the signature's check. */
const keys = new RecentlyUsed<KeyObject>(1000)

/** By Node's crypto on the spot: by way of Web Crypto the check costs twice as much. */
function isSignedBy(publicJwk: string, token: string): boolean {
  const known = keys.get(publicJwk)
  const key = known ?? createPublicKey({ key: JSON.parse(publicJwk) as JsonWebKey, format: 'jwk' })
  if (!known) keys.set(publicJwk, key)
  const end = token.lastIndexOf('.')
  const signature = Buffer.from(token.slice(end + 1), 'base64url')
  return (
    signature.length === signatureLength &&
    verify('sha256', Buffer.from(token.slice(0, end)), { key, dsaEncoding: 'ieee-p1363' }, signature)
  )
}
