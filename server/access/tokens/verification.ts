import { createPublicKey, hash, type JsonWebKey, type KeyObject, verify } from 'node:crypto'
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
  const verified = new RecentlyUsed<{ tenantId: string; length: number; kept: string; claims: Claims }>(5000)
  const verifyAnew = async ({ database, tenant, issuers, now }: Presented, token: string, kept: string) => {
    const parts = readCompactToken(token)
    const kid = parts && readTokenHeader(parts.header, rules.type)
    const claims = parts && rules.readClaims(parts.payload)
    if (kid === undefined || !claims || !rules.isGood(claims, tenant, issuers, now)) return undefined
    const publicJwk = await findVerifyingKey(database.read, tenant.id, 'token', kid, now)
    if (publicJwk === undefined || !isSignedBy(publicJwk, token)) return undefined
    verified.set(endOf(kept), { tenantId: tenant.id, length: token.length, kept, claims })
    return claims
  }
  return (presented: Presented, token: string): Claims | undefined | Promise<Claims | undefined> => {
    const { tenant, issuers, now } = presented
    const kept = token.length > longestKept ? hash('sha256', token, 'base64url') : token
    const known = verified.get(endOf(kept))
    // Of the same length, too: no text that is a digest itself stands for the token whose digest it is.
    const isKnown = known?.kept === kept && known.length === token.length && known.tenantId === tenant.id
    if (!isKnown) return verifyAnew(presented, token, kept)
    return rules.isGood(known.claims, tenant, issuers, now) ? known.claims : undefined
  }
}

/** A longer token is kept as its digest, which costs more than a whole look-up but takes no more room than a short one. */
const longestKept = 2048

/** By what a token is looked for: the second half of its signature, or all of its digest. */
const endOf = (kept: string) => kept.slice(-43)

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
