import type { Cause } from '../../kit/outbox.ts'
import { type EntitlementRow, lockEntitlement } from '../entitlements/loading.ts'
import { saveEntitlement } from '../entitlements/saving.ts'
import { hasHeldSeat } from '../seats/held.ts'
import { isTrial, startTrial } from './trials.ts'

/** Begins a trial now, as the first activation of a device does; one that another process began meanwhile keeps that beginning. */
export async function beginTrial(cause: Cause, { id }: EntitlementRow): Promise<void> {
  const row = await lockEntitlement(cause.tx, cause.tenantId, id)
  await saveEntitlement(cause, startTrial(row, cause.now), row)
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
