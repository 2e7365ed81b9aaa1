import { liveStatuses } from '../../../catalog-schema/enumerations.ts'
import type { Readable } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'

/** The live (Active or Suspended) entitlements that a customer has, as a refusal names them. */
export async function usersOfCustomer(read: Readable, tenantId: string, customerId: string): Promise<string[]> {
  const rows = await read
    .selectFrom('entitlements')
    .select(['id', 'name'])
    .where('tenant_id', '=', tenantId)
    .where('customer_id', '=', customerId)
    .where('is_offer', '=', no)
    .where('is_deleted', '=', no)
    .where('status', 'in', liveStatuses)
    .execute()
  return rows.map(({ id, name }) => `entitlement:${name ?? id}`)
}
