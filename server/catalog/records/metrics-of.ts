import type { Readable } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'
import type { CatalogTables } from '../tables.ts'

/** The monitored assets of these products, as meters are copied from them. */
export function listMetricsOf(
  readable: Readable,
  tenantId: string,
  productIds: readonly string[],
): Promise<CatalogTables['metrics'][]> {
  if (productIds.length === 0) return Promise.resolve([])
  return readable
    .selectFrom('metrics')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('is_deleted', '=', no)
    .where('product_id', 'in', productIds)
    .orderBy('metric_name')
    .orderBy('id')
    .execute()
}
