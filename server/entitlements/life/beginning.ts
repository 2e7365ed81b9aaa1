import type { Cause } from '../../kit/outbox.ts'
import { type EntitlementRow, lockEntitlement } from '../entitlements/loading.ts'
import { saveEntitlement } from '../entitlements/saving.ts'
import { startTrial } from './trials.ts'

/**
 * Begins now the trials among these entitlements that have not begun, as the first activation of a device does; answers
 * every row as it stands then. One that another process began meanwhile keeps that beginning.
 */
export async function beginTrials(cause: Cause, rows: readonly EntitlementRow[]): Promise<EntitlementRow[]> {
  const begun = new Map<string, EntitlementRow>()
  const waiting = rows.filter((row) => startTrial(row, cause.now) !== row).sort((a, b) => (a.id < b.id ? -1 : 1))
  for (const { id } of waiting) {
    const row = await lockEntitlement(cause.tx, cause.tenantId, id)
    begun.set(id, await saveEntitlement(cause, startTrial(row, cause.now), row))
  }
  return rows.map((row) => begun.get(row.id) ?? row)
}
