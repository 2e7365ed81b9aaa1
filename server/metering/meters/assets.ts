import { toWire } from '../../catalog/metrics/wire.ts'
import type { Readable } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'

/** The monitored assets that these entitlements meter with, as they are answered. */
export async function listAssetsOf(readable: Readable, tenantId: string, entitlementIds: readonly string[]) {
  if (entitlementIds.length === 0) return []
  const rows = await readable
    .selectFrom('meters')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('is_deleted', '=', no)
    .where('entitlement_id', 'in', entitlementIds)
    .orderBy('metric_name')
    .orderBy('id')
    .execute()
  return toWire(readable, tenantId, rows)
}
