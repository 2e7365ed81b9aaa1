import { createPublicKey, type JsonWebKey } from 'node:crypto'
import type { Readable } from '../../database/database.ts'
import { RecentlyUsed } from '../../kit/recently-used.ts'
import type { KeyPurpose } from './key-pairs.ts'
import { findNewestKey } from './store.ts'

/** A public key as it is handed out. */
export interface PublicKey {
  kid: string
  alg: string
  /** As it stands in the JWKS. */
  jwk: Record<string, unknown>
  /** SubjectPublicKeyInfo. */
  pem: string
}

const known = new RecentlyUsed<PublicKey>(1000)

/** The public half of the tenant's key under an id; throws when there is none. */
export async function getPublicKey(read: Readable, tenantId: string, kid: string): Promise<PublicKey> {
  const place = `${tenantId}/${kid}`
  const before = known.get(place)
  if (before) return before
  const { algorithm, public_jwk } = await read
    .selectFrom('signing_keys')
    .select(['algorithm', 'public_jwk'])
    .where('id', '=', kid)
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  const jwk = JSON.parse(public_jwk) as JsonWebKey
  const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
  const key = { kid, alg: algorithm, jwk: jwk as Record<string, unknown>, pem: pem.toString() }
  known.set(place, key)
  return key
}

/** The public half of the key that the tenant signs with now. */
export async function getCurrentPublicKey(read: Readable, tenantId: string, purpose: KeyPurpose): Promise<PublicKey> {
  return getPublicKey(read, tenantId, (await findNewestKey(read, tenantId, purpose))!.id)
}
