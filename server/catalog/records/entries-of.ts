import type { featureTypes } from '../../../catalog-schema/enumerations.ts'
import type { Readable } from '../../database/database.ts'

/** A feature catalog entry as entitlements ask about it. */
export interface EntryStanding {
  id: string
  productId: string
  featureCode: string
  name: string
  featureType: (typeof featureTypes)[number]
  enumOptions: { value: string }[]
  metricName: string | null
  lifecycleStatus: string
}

/** The feature catalog entries of these products. */
export async function listEntriesOf(
  readable: Readable,
  tenantId: string,
  productIds: readonly string[],
): Promise<EntryStanding[]> {
  if (productIds.length === 0) return []
  const rows = await readable
    .selectFrom('features')
    .select([
      'id',
      'product_id',
      'feature_code',
      'name',
      'feature_type',
      'enum_options',
      'metric_name',
      'lifecycle_status',
    ])
    .where('tenant_id', '=', tenantId)
    .where('is_deleted', '=', 0)
    .where('product_id', 'in', productIds)
    .orderBy('feature_code')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    productId: row.product_id,
    featureCode: row.feature_code,
    name: row.name,
    featureType: row.feature_type as EntryStanding['featureType'],
    enumOptions: JSON.parse(row.enum_options),
    metricName: row.metric_name,
    lifecycleStatus: row.lifecycle_status,
  }))
}
