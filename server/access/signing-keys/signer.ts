import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import type { Readable } from '../../database/database.ts'
import { RecentlyUsed } from '../../kit/recently-used.ts'
import type { Sealer } from '../../kit/sealing.ts'
import type { KeyPurpose } from './key-pairs.ts'
import { findCurrentKey, placeOf } from './store.ts'

/** A tenant's key, ready to sign. */
export interface Signer {
  kid: string
  algorithm: 'ES256' | 'RS256'
  privateKey: KeyObject
}

const signers = new RecentlyUsed<Signer>(1000)

/** The key that signs for a purpose now; which one it is is asked of the database each time, since any process may rotate. */
export async function currentSigner(
  read: Readable,
  sealer: Sealer,
  tenantId: string,
  purpose: KeyPurpose,
): Promise<Signer> {
  const [current] = await findCurrentKey(read, { tenantId, purpose })
  if (!current) throw new Error(`tenant ${tenantId} has no ${purpose} key`)
  const { id: kid, algorithm, sealed_private_key } = current
  const known = signers.get(kid)
  if (known) return known
  const signer = {
    kid,
    algorithm,
    privateKey: createPrivateKey(sealer.open(sealed_private_key, placeOf(tenantId, kid))),
  }
  signers.set(kid, signer)
  return signer
}

/**
 * Claims as a signed compact JWT (RFC 7519) of the given type. Signed by Node's crypto on the spot: through Web Crypto a
 * signature costs twice as much.
 */
export function signJwt({ kid, algorithm, privateKey }: Signer, typ: string, claims: object): string {
  const text = `${encode({ typ, alg: algorithm, kid })}.${encode(claims)}`
  const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${text}.${signature.toString('base64url')}`
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
