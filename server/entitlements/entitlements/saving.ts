import { type Cause, type Happening, recordEvents } from '../../kit/outbox.ts'
import { rowHead } from '../../kit/records/stamp.ts'
import { insertStatements, runStatements, storeOf, writeRecords } from '../../kit/records/store.ts'
import { readProducts } from '../offers/items.ts'
import type { EntitlementRow } from './loading.ts'
import { readLayers } from './stored.ts'

/**
 * Writes an entitlement in place of `before` (none: a new one) as it stands by now, with the events of what time has made
 * of it, and what its products, add-ons and seats keep of it; answers the row as it is written. Nothing moves when it is as before.
 */
export async function saveEntitlement(
  cause: Cause,
  wanted: EntitlementRow,
  before?: EntitlementRow,
): Promise<EntitlementRow> {
  const { row, happenings } = settle(wanted, cause.now)
  const changed = changedColumns(row, before)
  if (before && changed.length === 0) return before
  const head = changed.some((column) => !derivedColumns.has(column)) ? rowHead(row.id, before, cause) : before!
  const { id, tenant_id, is_deleted, created_at, updated_at, updated_by, revision_number } = head
  const written = { ...row, id, tenant_id, is_deleted, created_at, updated_at, updated_by, revision_number }
  await writeRecords(cause.tx, 'entitlements', [written])
  await keepLinks(cause, written, before)
  await recordEvents(cause, happenings)
  return written
}

/** What follows from the other columns and the time, so that a change of it is no change of the record. */
const derivedColumns = new Set(['subscription_status', 'expiring_told_for', 'trial_expiring_told_for', 'next_due_at'])

function changedColumns(row: EntitlementRow, before: EntitlementRow | undefined): string[] {
  const columns = Object.keys(row) as (keyof EntitlementRow)[]
  return before ? columns.filter((column) => row[column] !== before[column]) : columns
}

/** What time has made of an entitlement by now. */
const settle = (row: EntitlementRow, _now: number): { row: EntitlementRow; happenings: Happening[] } => ({
  row,
  happenings: [],
})

/** Keeps the rows by which others find the entitlements of a product or an add-on, and count its seats. */
async function keepLinks({ tx, tenantId }: Cause, row: EntitlementRow, before: EntitlementRow | undefined) {
  const entitlement = { tenant_id: tenantId, entitlement_id: row.id }
  const statements = []
  if (row.products !== before?.products) {
    if (before) await tx.deleteFrom('entitlement_products').where('entitlement_id', '=', row.id).execute()
    const links = readProducts(row).map(({ productId }) => ({ ...entitlement, product_id: productId }))
    statements.push(...insertStatements(storeOf(tx), 'entitlement_products', links))
  }
  if (row.layers !== (before?.layers ?? null)) {
    if (before) await tx.deleteFrom('entitlement_add_ons').where('entitlement_id', '=', row.id).execute()
    const links = readLayers(row).addOns.map(({ addOnId }) => ({ ...entitlement, add_on_id: addOnId }))
    statements.push(...insertStatements(storeOf(tx), 'entitlement_add_ons', links))
  }
  if (!before) statements.push(...insertStatements(storeOf(tx), 'seat_counts', [{ ...entitlement, taken: 0 }]))
  await runStatements(tx, statements)
}
