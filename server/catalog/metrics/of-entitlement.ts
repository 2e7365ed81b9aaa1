import { keyOf } from '../../../catalog-schema/keys.ts'
import type { Readable } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'
import { Problem } from '../../kit/problem.ts'

/** A monitored asset that an entitlement meters with is changed by that entitlement alone; throws catalog.in_use, which names it and says what to change. */
export async function refuseAssetOfEntitlement(readable: Readable, tenantId: string, id: string): Promise<void> {
  const held = await readable
    .selectFrom('meters')
    .innerJoin('entitlements', 'entitlements.id', 'meters.entitlement_id')
    .innerJoin('products', 'products.id', 'meters.product_id')
    .select(['entitlements.id', 'entitlements.name', 'product_code', 'product_version', 'metric_name'])
    .where('meters.tenant_id', '=', tenantId)
    .where('meters.id', '=', id.toLowerCase())
    .where('meters.is_deleted', '=', no)
    .executeTakeFirst()
  if (!held) return
  const { product_code: productCode, product_version: productVersion, metric_name: metricName } = held
  const key = keyOf('monitoredAsset', { productCode, productVersion, metricName })
  throw new Problem(
    'catalog.in_use',
    `The monitored asset belongs to entitlement:${held.name ?? held.id} and follows its features, plan and add-ons: change those, or ${key} of the catalog for entitlements made from then on.`,
  )
}
