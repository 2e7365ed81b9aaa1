import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import type { Readable } from '../../database/database.ts'
import { RecentlyUsed } from '../../kit/recently-used.ts'
import type { Sealer } from '../../kit/sealing.ts'
import type { KeyPurpose } from './key-pairs.ts'
import { rawSignature } from './raw-signature.ts'
import { findNewestKey, getSigningKey, placeOf } from './store.ts'

/** A tenant's key, ready to sign. */
export interface Signer {
  kid: string
  algorithm: 'ES256' | 'RS256'
  privateKey: KeyObject
}

const signers = new RecentlyUsed<Signer>(1000)

/** The tenant's key under an id, ready to sign. Which key signs now is asked of the database each time, since any process may rotate. */
export async function getSigner(read: Readable, sealer: Sealer, tenantId: string, kid: string): Promise<Signer> {
  const known = signers.get(`${tenantId}/${kid}`)
  if (known) return known
  const { algorithm, sealed_private_key } = await getSigningKey(read, tenantId, kid)
  const privateKey = createPrivateKey(sealer.open(sealed_private_key, placeOf(tenantId, kid)))
  const signer = { kid, algorithm, privateKey }
  signers.set(`${tenantId}/${kid}`, signer)
  return signer
}

/** The key that a tenant signs with now, and until when what it signed is known to be good. */
export interface CurrentSigner extends Signer {
  signedUntil: number | null
}

/** The key that a tenant signs with now: the newest of the purpose in use; ids are ordered by their birth. */
export async function getCurrentSigner(
  read: Readable,
  sealer: Sealer,
  tenantId: string,
  purpose: KeyPurpose,
): Promise<CurrentSigner> {
  const key = await findNewestKey(read, tenantId, purpose)
  if (key === undefined) throw new Error(`tenant ${tenantId} has no ${purpose} key`)
  return { ...(await getSigner(read, sealer, tenantId, key.id)), signedUntil: key.signed_until }
}

/**
 * Claims as a signed compact JWT (RFC 7519) of the given type. Signed by Node's crypto on the spot: through Web Crypto a
 * signature costs five times as much.
 */
export function signJwt({ kid, algorithm, privateKey }: Signer, typ: string, claims: object): string {
  const text = `${encode({ typ, alg: algorithm, kid })}.${encode(claims)}`
  // Asked for the raw form, or given anything but the key itself, Node takes twice as long.
  const signature = sign('sha256', Buffer.from(text), privateKey)
  return `${text}.${(algorithm === 'ES256' ? rawSignature(signature) : signature).toString('base64url')}`
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
