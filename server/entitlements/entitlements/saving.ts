import { assignTags } from '../../catalog/records/tagging.ts'
import { type Cause, recordEvents } from '../../kit/outbox.ts'
import { rowHead } from '../../kit/records/stamp.ts'
import { insertStatements, runStatements, storeOf, writeRecords } from '../../kit/records/store.ts'
import { settle, withoutLateNotice } from '../life/settling.ts'
import { readProducts } from '../offers/items.ts'
import { layered } from '../plans/layering.ts'
import { keepMeters } from '../plans/meter-keeping.ts'
import { seatRuleOf } from '../policies/effective.ts'
import { becomesLive, keepWhatItNeeds } from './becoming-live.ts'
import { licensedProductIds } from './licensed-products.ts'
import type { EntitlementRow } from './loading.ts'
import { readLayers, readOwnFeatures } from './stored.ts'

/**
 * Writes an entitlement in place of `before` (none: a new one; an offer: one that is no offer any more) as time has left
 * it by now, with the events of that; answers the row as it is written. Its features in effect, its meters, and what its
 * products, add-ons and seats keep of it follow. Throws catalog.invalid_transition for one that becomes live without what
 * it needs.
 * `tags` are those it is to carry, when that changes. Nothing moves when it is as before.
 */
export async function saveEntitlement(
  cause: Cause,
  wanted: EntitlementRow,
  before?: EntitlementRow,
  tags?: readonly string[],
): Promise<EntitlementRow> {
  const isReshaped = !before || shaping.some((column) => wanted[column] !== before[column])
  const timely = withoutLateNotice(wanted, before, cause.now)
  const { row, happenings } = settle(isReshaped ? withFeatures(timely) : timely, cause.now)
  const changed = columnsOf(row).filter((column) => row[column] !== before?.[column])
  const isChanged = tags !== undefined || changed.some((column) => !derived.has(column))
  if (before && !isChanged && changed.length === 0) return before
  const written = { ...row, ...(isChanged || !before ? rowHead(row.id, before, cause) : headOf(before)) }
  if (before && becomesLive(before, written)) await keepWhatItNeeds(cause, written)
  await writeRecords(cause.tx, 'entitlements', [written])
  if (isReshaped) await keepLinks(cause, written, before)
  if (isReshaped) await keepMeters(cause, written)
  if (before && isHeldOtherwise(written, before)) await reckonSeatsAnew(cause, written.id)
  if (tags) await assignTags(cause.tx, 'Entitlement', written.id, tags, cause)
  await recordEvents(cause, happenings)
  return written
}

/** What features, meters and links follow from. */
const shaping = ['products', 'own_features', 'layers'] as const

/** What follows from the other columns and the time, so that a change of it is no change of the record. */
const derived = new Set(['subscription_status', 'expiring_told_for', 'trial_expiring_told_for', 'next_due_at'])

const columnsOf = (row: EntitlementRow) => Object.keys(row) as (keyof EntitlementRow)[]

const headOf = ({ created_at, updated_at, updated_by, revision_number }: EntitlementRow) => ({
  ...{ created_at, updated_at, updated_by, revision_number },
})

const isHeldOtherwise = (row: EntitlementRow, before: EntitlementRow) =>
  row.license_policy !== before.license_policy && seatRuleOf(row) !== seatRuleOf(before)

/** Leaves word that the seats of the entitlement lapse at other times than was reckoned. */
const reckonSeatsAnew = ({ tx, tenantId }: Cause, id: string) =>
  tx
    .updateTable('seat_counts')
    .set({ is_reckoned: 0 })
    .where('tenant_id', '=', tenantId)
    .where('entitlement_id', '=', id)
    .execute()

function withFeatures(row: EntitlementRow): EntitlementRow {
  const productIds = licensedProductIds(row)
  return { ...row, features: JSON.stringify(layered(readOwnFeatures(row), readLayers(row), productIds)) }
}

/** Keeps the rows by which others find the entitlements of a product or an add-on, and that of its seats. */
async function keepLinks({ tx, tenantId }: Cause, row: EntitlementRow, before: EntitlementRow | undefined) {
  const entitlement = { tenant_id: tenantId, entitlement_id: row.id }
  const products = readProducts(row).map(({ productId }) => ({ ...entitlement, product_id: productId }))
  const addOns = readLayers(row).addOns.map(({ addOnId }) => ({ ...entitlement, add_on_id: addOnId }))
  if (before)
    for (const table of ['entitlement_products', 'entitlement_add_ons'] as const)
      await tx.deleteFrom(table).where('tenant_id', '=', tenantId).where('entitlement_id', '=', row.id).execute()
  await runStatements(tx, [
    ...insertStatements(storeOf(tx), 'entitlement_products', products),
    ...insertStatements(storeOf(tx), 'entitlement_add_ons', addOns),
    ...(before?.is_offer === 0
      ? []
      : insertStatements(storeOf(tx), 'seat_counts', [{ ...entitlement, taken: 0, is_reckoned: 1 }])),
  ])
}
