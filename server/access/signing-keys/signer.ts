import { createPrivateKey, type KeyObject } from 'node:crypto'
import type { Readable } from '../../database/database.ts'
import { RecentlyUsed } from '../../kit/recently-used.ts'
import type { Sealer } from '../../kit/sealing.ts'
import type { KeyPurpose } from './key-pairs.ts'
import { getCurrentKey, placeOf } from './store.ts'

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
  const { id: kid, algorithm, sealed_private_key } = await getCurrentKey(read, tenantId, purpose)
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
