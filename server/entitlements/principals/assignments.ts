import type { Readable } from '../../database/database.ts'
import { compileOnce } from '../../kit/compiled-query.ts'

/** The entitlements that a user is assigned to, deleted ones left out, the first assigned first. */
export async function listAssigned(read: Readable, tenantId: string, userId: string): Promise<string[]> {
  const rows = await assignedTo(read, { tenantId, userId: userId.toLowerCase() })
  return rows.map(({ id }) => id)
}

const assignedTo = compileOnce((read, { tenantId, userId }: { tenantId: string; userId: string }) =>
  read
    .selectFrom('entitlement_principals')
    .innerJoin('entitlements', 'entitlements.id', 'entitlement_principals.entitlement_id')
    .select('entitlements.id')
    .where('entitlement_principals.tenant_id', '=', tenantId)
    .where('entitlement_principals.user_id', '=', userId)
    .where('entitlements.is_deleted', '=', 0)
    .where('entitlements.is_offer', '=', 0)
    .orderBy('entitlement_principals.assigned_at')
    .orderBy('entitlements.id'),
)
