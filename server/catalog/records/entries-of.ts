import type { Feature } from '../../../catalog-schema/feature.ts'
import type { Readable } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'

/** A feature catalog entry as the features of products and entitlements ask about it. */
export interface EntryStanding extends Omit<Feature, 'productCode' | 'productVersion' | 'valueScore' | 'tags'> {
  id: string
  productId: string
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
      'units',
      'feature_type',
      'enum_options',
      'metric_name',
      'meter_aggregation_type',
      'visibility',
      'lifecycle_status',
    ])
    .where('tenant_id', '=', tenantId)
    .where('is_deleted', '=', no)
    .where('product_id', 'in', productIds)
    .orderBy('feature_code')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    productId: row.product_id,
    featureCode: row.feature_code,
    name: row.name,
    units: row.units,
    featureType: row.feature_type as EntryStanding['featureType'],
    enumOptions: JSON.parse(row.enum_options),
    metricName: row.metric_name,
    meterAggregationType: row.meter_aggregation_type as EntryStanding['meterAggregationType'],
    visibility: row.visibility as EntryStanding['visibility'],
    lifecycleStatus: row.lifecycle_status as EntryStanding['lifecycleStatus'],
  }))
}
