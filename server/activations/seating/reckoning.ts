import type { Tx } from '../../database/database.ts'
import { type SeatPolicy, seatUntil } from '../../entitlements/seats/holding.ts'
import { lockSeated, writeSeatEnds } from './store.ts'

/**
 * Writes until when the seats of these entitlements are held by their present policies, which were changed since it was
 * written last; ask when they are locked.
 */
export async function reckonAnew(tx: Tx, tenantId: string, policies: ReadonlyMap<string, SeatPolicy>): Promise<void> {
  if (policies.size === 0) return
  const ids = [...policies.keys()]
  const sessions = await lockSeated(tx, tenantId, ids)
  const ends = sessions.map(({ id, entitlement_id, last_access_at, grace_expires_at }) => ({
    id,
    until: seatUntil(last_access_at, policies.get(entitlement_id)!, grace_expires_at),
  }))
  await writeSeatEnds(tx, tenantId, ids, ends)
}
