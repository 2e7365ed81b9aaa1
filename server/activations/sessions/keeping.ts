import type { Tx } from '../../database/database.ts'
import { compileOnce } from '../../kit/compiled-query.ts'
import { isAmong, listed } from '../../kit/listed-values.ts'

interface Ids extends Record<string, unknown> {
  tenantId: string
  ids: unknown
}

const keepEntitlements = compileOnce((tx, { tenantId, ids }: Ids) =>
  tx
    .selectFrom('entitlements')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where(isAmong(tx, 'id', ids))
    .orderBy('id')
    .forNoKeyUpdate(),
)

/**
 * PostgreSQL: nobody else changes these entitlements until the transaction ends, so that no session is made after it was
 * acknowledged that one was suspended or cancelled. Ask when their seats are locked.
 */
export async function keepFromChanging(tx: Tx, tenantId: string, entitlementIds: readonly string[]): Promise<void> {
  await keepEntitlements(tx, { tenantId, ids: listed(tx, entitlementIds) })
}
