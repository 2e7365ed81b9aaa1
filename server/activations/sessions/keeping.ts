import type { Readable, Tx } from '../../database/database.ts'
import type { EntitlementRow } from '../../entitlements/entitlements/loading.ts'
import { compileOnce } from '../../kit/compiled-query.ts'
import { no } from '../../kit/flags.ts'
import { isAmong, listed } from '../../kit/listed-values.ts'

interface Ids extends Record<string, unknown> {
  tenantId: string
  ids: unknown
}

const policies = (tx: Readable, { tenantId, ids }: Ids) =>
  tx
    .selectFrom('entitlements')
    .select(['id', 'license_policy'])
    .where('tenant_id', '=', tenantId)
    .where(isAmong(tx, 'id', ids))

const readPolicies = compileOnce(policies)
const keepEntitlements = compileOnce((tx, ids: Ids) => policies(tx, ids).orderBy('id').forNoKeyUpdate())

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

/**
 * Whether the license policies of these entitlements are still those that were read. Ask once their sessions are written, which
 * whoever reckons seats by other policies writes, too.
 */
export async function arePoliciesAsRead(
  tx: Tx,
  tenantId: string,
  read: readonly Pick<EntitlementRow, 'id' | 'license_policy'>[],
): Promise<boolean> {
  const now = await readPolicies(tx, { tenantId, ids: listed(tx, [...new Set(read.map(({ id }) => id))]) })
  const policyOf = new Map(now.map((row) => [row.id, row.license_policy]))
  return read.every(({ id, license_policy }) => policyOf.get(id) === license_policy)
}
