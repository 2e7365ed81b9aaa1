import type { Cause } from '../../kit/outbox.ts'
import { type EntitlementRow, lockEntitlement } from '../entitlements/loading.ts'
import { saveEntitlement } from '../entitlements/saving.ts'
import { hasHeldSeat } from '../seats/held.ts'
import { isTrial, startTrial } from './trials.ts'

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

/** The row with its trial begun now, if it becomes a trial while a device uses it: its first activation has been. */
export async function beginWhereUsed(
  { tx, tenantId, now }: Cause,
  before: EntitlementRow,
  row: EntitlementRow,
): Promise<EntitlementRow> {
  if (row.status === 'Draft' || isTrial(before) || !isTrial(row)) return row
  return (await hasHeldSeat(tx, tenantId, row.id, now)) ? startTrial(row, now) : row
}
