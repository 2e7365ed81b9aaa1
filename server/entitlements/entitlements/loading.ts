import type { Readable, Tx } from '../../database/database.ts'
import { compileOnce } from '../../kit/compiled-query.ts'
import { no } from '../../kit/flags.ts'
import { isAmong, isTenants, listed } from '../../kit/listed-values.ts'
import { Problem, recordNotFound } from '../../kit/problem.ts'
import { findRecord } from '../../kit/records/store.ts'
import type { EntitlementRow } from '../offers/tables.ts'

export type { EntitlementRow }

/** Holds the seats of an entitlement until the transaction ends; asked before the entitlement is locked, as by whoever takes a seat. */
export async function holdSeats(tx: Tx, tenantId: string, id: string): Promise<void> {
  const count = tx.selectFrom('seat_counts').select('taken').where('tenant_id', '=', tenantId)
  await count.where('entitlement_id', '=', id.toLowerCase()).forUpdate().execute()
}

/** The live entitlement of that id (no offer), nobody else's to change until the transaction ends; throws the not-found problem. */
export async function lockEntitlement(tx: Tx, tenantId: string, id: string): Promise<EntitlementRow> {
  const row = await tx
    .selectFrom('entitlements')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id.toLowerCase())
    .where('is_offer', '=', no)
    .where('is_deleted', '=', no)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? refuseAbsent(tx, tenantId, id)
}

/** The live entitlement, or offer, of that id; throws the not-found problem. */
export async function getEither(readable: Readable, tenantId: string, id: string): Promise<EntitlementRow> {
  const row = await findRecord(readable, 'entitlements', tenantId, id)
  if (!row) throw recordNotFound('entitlement')
  return row
}

/** Throws the not-found problem; of an offer it says what to ask instead. */
async function refuseAbsent(readable: Readable, tenantId: string, id: string): Promise<never> {
  await getEither(readable, tenantId, id)
  const detail =
    'This is an offer, which nobody holds: what was asked for is for the entitlements that are made from it.'
  throw new Problem('license.record_not_found', detail)
}

const liveByIds = compileOnce((readable, { tenantId, ids }: { tenantId: string; ids: unknown }) =>
  readable
    .selectFrom('entitlements')
    .selectAll()
    .where(isTenants(readable, tenantId))
    .where(isAmong(readable, 'id', ids))
    .where('is_offer', '=', no)
    .where('is_deleted', '=', no)
    .orderBy('created_at')
    .orderBy('id'),
)

/** The live entitlements (no offers) among these ids, in the order in which they were made. */
export async function findEntitlements(
  readable: Readable,
  tenantId: string,
  ids: readonly string[],
): Promise<EntitlementRow[]> {
  if (ids.length === 0) return []
  return liveByIds(readable, { tenantId, ids: listed(readable, ids) })
}

/** The live entitlement of that id (no offer); throws the not-found problem. */
export async function getEntitlement(readable: Readable, tenantId: string, id: string): Promise<EntitlementRow> {
  const [row] = await findEntitlements(readable, tenantId, [id.toLowerCase()])
  return row ?? refuseAbsent(readable, tenantId, id)
}
