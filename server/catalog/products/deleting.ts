import type { Tx } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'
import type { Stamp } from '../../kit/records/stamp.ts'
import { softDelete } from '../../kit/records/store.ts'
import { forgetTags } from '../records/tagging.ts'

/** Deletes a product that nobody needs, with its features, its monitored assets, and its own suite and what that offers. */
export async function deleteProduct(tx: Tx, productId: string, stamp: Stamp): Promise<void> {
  const suiteIds = await idsWhere(tx, 'suites', 'own_product_id', [productId], stamp)
  const doomed = {
    features: await idsWhere(tx, 'features', 'product_id', [productId], stamp),
    metrics: await idsWhere(tx, 'metrics', 'product_id', [productId], stamp),
    plan_sets: await idsWhere(tx, 'plan_sets', 'suite_id', suiteIds, stamp),
    add_ons: await idsWhere(tx, 'add_ons', 'suite_id', suiteIds, stamp),
    suites: suiteIds,
    products: [productId],
  }
  for (const [table, ids] of Object.entries(doomed)) await softDelete(tx, table as keyof typeof doomed, stamp, ids)
  await forgetTags(tx, stamp.tenantId, [...doomed.features, ...doomed.metrics, productId])
}

async function idsWhere(
  tx: Tx,
  table: 'features' | 'metrics' | 'plan_sets' | 'add_ons' | 'suites',
  column: 'product_id' | 'suite_id' | 'own_product_id',
  values: readonly string[],
  { tenantId }: Stamp,
): Promise<string[]> {
  if (values.length === 0) return []
  const rows = await tx
    .selectFrom(table as 'features')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where(column as 'product_id', 'in', values)
    .where('is_deleted', '=', no)
    .execute()
  return rows.map(({ id }) => id)
}
