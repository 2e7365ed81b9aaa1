import type { Tx } from '../../database/database.ts'
import { extendVerification } from './store.ts'

/** How long a retired token key verifies at least. */
export const retiredTokenKeyMillis = 31 * 24 * 3_600_000

/**
 * Keeps a key verifying as long as a token that it signs now is good, `until` (milliseconds), however long that is; a retired
 * one, too, since it may have been retired while it signed.
 */
export async function keepVerifying(tx: Tx, tenantId: string, kid: string, until: number, now: number): Promise<void> {
  if (until > now + retiredTokenKeyMillis) await extendVerification(tx, { tenantId, kid, until })
}
