import type { Tx } from '../../database/database.ts'
import type { EntitlementRow } from '../../entitlements/entitlements/loading.ts'
import { compileOnce } from '../../kit/compiled-query.ts'
import { no } from '../../kit/flags.ts'
import { isAmong, listed } from '../../kit/listed-values.ts'

interface Ids extends Record<string, unknown> {
  tenantId: string
  ids: unknown
}

const keepEntitlements = compileOnce((tx, { tenantId, ids }: Ids) =>
  tx
    .selectFrom('entitlements')
    .select(['id', 'license_policy'])
    .where('tenant_id', '=', tenantId)
    .where(isAmong(tx, 'id', ids))
    .orderBy('id')
    .forNoKeyUpdate(),
)

interface Keys extends Record<string, unknown> {
  tenantId: string
  keys: unknown
  entitlementIds: unknown
}

const keepCodes = compileOnce((tx, { tenantId, keys, entitlementIds }: Keys) =>
  tx
    .selectFrom('activation_codes')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where(isAmong(tx, 'lookup_key', keys))
    .where(isAmong(tx, 'entitlement_id', entitlementIds))
    .where('is_deleted', '=', no)
    .orderBy('id')
    .forNoKeyUpdate(),
)

/**
 * PostgreSQL: nobody else changes these entitlements, and their codes under these keys, until the transaction ends, so that no
 * session is made after it was acknowledged that an entitlement was suspended or a code deleted. Ask when their seats are
 * locked. Answers the entitlements' license policies.
 */
export async function keepFromChanging(
  tx: Tx,
  tenantId: string,
  entitlementIds: readonly string[],
  codeKeys: readonly string[],
): Promise<Pick<EntitlementRow, 'id' | 'license_policy'>[]> {
  const ids = listed(tx, entitlementIds)
  const kept = await keepEntitlements(tx, { tenantId, ids })
  if (codeKeys.length > 0) await keepCodes(tx, { tenantId, keys: listed(tx, codeKeys), entitlementIds: ids })
  return kept
}
