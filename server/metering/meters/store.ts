import type { Readable } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'
import type { MeterTables } from './tables.ts'

/** The meters of an entitlement. */
export const listMeterRows = (
  readable: Readable,
  tenantId: string,
  entitlementId: string,
): Promise<MeterTables['meters'][]> =>
  readable
    .selectFrom('meters')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('entitlement_id', '=', entitlementId)
    .where('is_deleted', '=', no)
    .orderBy('metric_name')
    .orderBy('id')
    .execute()
