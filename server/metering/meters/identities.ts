import type { Readable } from '../../database/database.ts'

/** By what a meter is found among those of all entitlements. */
export const meterKey = (entitlementId: string, productId: string, metricName: string | null) =>
  `${entitlementId} ${productId} ${metricName}`

/** The ids of the open meters of these entitlements, by meterKey. */
export async function listMeterIds(
  read: Readable,
  tenantId: string,
  entitlementIds: readonly string[],
): Promise<Map<string, string>> {
  if (entitlementIds.length === 0) return new Map()
  const rows = await read
    .selectFrom('meters')
    .select(['id', 'entitlement_id', 'product_id', 'metric_name'])
    .where('tenant_id', '=', tenantId)
    .where('is_deleted', '=', 0)
    .where('entitlement_id', 'in', entitlementIds)
    .execute()
  return new Map(
    rows.map(({ id, entitlement_id, product_id, metric_name }) => [
      meterKey(entitlement_id, product_id, metric_name),
      id,
    ]),
  )
}
