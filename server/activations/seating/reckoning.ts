import type { Tx } from '../../database/database.ts'
import { type SeatPolicy, seatEnds } from '../../entitlements/seats/holding.ts'
import { lockSeated, writeSeatEnds } from './store.ts'

/**
 * Writes until when the seats of these entitlements are held by their present policies, which were changed since it was
 * written last; ask when they are locked.
 */
export async function reckonAnew(tx: Tx, tenantId: string, policies: ReadonlyMap<string, SeatPolicy>): Promise<void> {
  if (policies.size === 0) return
  const ids = [...policies.keys()]
  const sessions = await lockSeated(tx, tenantId, ids)
  await writeSeatEnds(tx, tenantId, ids, seatEnds(sessions, policies))
}
