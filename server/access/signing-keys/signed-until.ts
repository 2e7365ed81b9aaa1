import type { Tx } from '../../database/database.ts'
import { leewaySeconds, shortLivedSeconds } from '../tokens/short-lived.ts'
import type { CurrentSigner } from './signer.ts'
import { extendVerification } from './store.ts'

const hourMillis = 3_600_000
const monthMillis = 31 * 24 * hourMillis

/** How long a retired token key verifies at least: the tokens that live shortest are not written down one by one. */
export const retiredTokenKeyMillis = (shortLivedSeconds + leewaySeconds) * 1000

/**
 * Keeps a key verifying as long as a token that it signs now is good, `until` (milliseconds), however long that is; a retired
 * one, too, since it may have been retired while it signed. Written down to the hour above where leases are usual, a month at
 * most, so that not every activation of a tenant writes to the one row.
 */
export async function keepVerifying(
  tx: Tx,
  tenantId: string,
  { kid, signedUntil }: CurrentSigner,
  until: number,
  now: number,
): Promise<void> {
  if (until <= now + shortLivedSeconds * 1000 || (signedUntil !== null && until <= signedUntil)) return
  const isUsual = until <= now + monthMillis
  await extendVerification(tx, { tenantId, kid, until: isUsual ? Math.ceil(until / hourMillis) * hourMillis : until })
}
