import { hash } from 'node:crypto'
import { compactVerify, importJWK, type JWK } from 'jose'
import type { Database } from '../../database/database.ts'
import type { Tenant } from '../../kit/context.ts'
import { RecentlyUsed } from '../../kit/recently-used.ts'
import { findVerifyingKey } from '../signing-keys/store.ts'
import {
  type AccessTokenClaims,
  accessTokenAlgorithm,
  isGoodNow,
  readAccessTokenClaims,
  readAccessTokenHeader,
} from './claims.ts'
import { readCompactToken } from './compact-token.ts'

/** Claims whose signature was checked once, by tenant and digest of the token; whether they are good is asked each time. */
const verified = new RecentlyUsed<AccessTokenClaims>(10_000)

/** The claims of a token that this tenant issued to a client and that is good at `now`; undefined for any other text. */
export async function verifyAccessToken(
  database: Database,
  tenant: Tenant,
  issuers: readonly string[],
  token: string,
  now: number,
): Promise<AccessTokenClaims | undefined> {
  const digest = `${tenant.id}/${hash('sha256', token, 'base64url')}`
  const known = verified.get(digest)
  if (known) return isGoodNow(known, tenant, issuers, now) ? known : undefined
  const parts = readCompactToken(token)
  const kid = parts && readAccessTokenHeader(parts.header)
  const claims = parts && readAccessTokenClaims(parts.payload)
  if (kid === undefined || !claims || !isGoodNow(claims, tenant, issuers, now)) return undefined
  const publicJwk = await findVerifyingKey(database.read, tenant.id, 'token', kid, now)
  if (publicJwk === undefined || !(await isSignedBy(publicJwk, token))) return undefined
  verified.set(digest, claims)
  return claims
}

async function isSignedBy(publicJwk: string, token: string): Promise<boolean> {
  const key = await importJWK(JSON.parse(publicJwk) as JWK, accessTokenAlgorithm)
  return compactVerify(token, key, { algorithms: [accessTokenAlgorithm] }).then(
    () => true,
    () => false,
  )
}
