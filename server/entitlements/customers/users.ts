import type { Readable } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'

/** The live (Active or Suspended) entitlements that a customer has. */
export async function usersOfCustomer(read: Readable, tenantId: string, customerId: string): Promise<string[]> {
  const rows = await read
    .selectFrom('entitlements')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('customer_id', '=', customerId)
    .where('is_offer', '=', no)
    .where('is_deleted', '=', no)
    .where('status', 'in', ['Active', 'Suspended'])
    .execute()
  return rows.map(({ id }) => `entitlement ${id}`)
}
