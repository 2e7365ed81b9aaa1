import { PostgresAdapter } from 'kysely'
import type { Tx } from '../../database/database.ts'

/**
 * Locks the seats of these entitlements of the tenant's, in the order of their ids, until the transaction ends: on
 * PostgreSQL by their rows, on SQLite by the transaction itself. Whoever takes or frees a seat asks this first.
 */
export async function lockSeats(
  tx: Tx,
  tenantId: string,
  entitlementIds: readonly string[],
): Promise<Map<string, number>> {
  let query = tx
    .selectFrom('seat_counts')
    .select(['entitlement_id', 'taken'])
    .where('tenant_id', '=', tenantId)
    .where('entitlement_id', 'in', [...new Set(entitlementIds)])
    .orderBy('entitlement_id')
  if (tx.getExecutor().adapter instanceof PostgresAdapter) query = query.forUpdate()
  const rows = await query.execute()
  return new Map(rows.map(({ entitlement_id, taken }) => [entitlement_id, taken]))
}
