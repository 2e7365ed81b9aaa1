import type { Readable, Tx } from '../../database/database.ts'
import { compileOnce } from '../../kit/compiled-query.ts'
import { no } from '../../kit/flags.ts'
import { keepRecord } from '../../kit/records/locking.ts'

/** Whether a user is a member of a live group of the tenant. */
export async function isMember(read: Readable, tenantId: string, groupId: string, userId: string): Promise<boolean> {
  const rows = await membership(read, { tenantId, groupId: groupId.toLowerCase(), userId: userId.toLowerCase() })
  return rows.length > 0 && (await groupById(read, { tenantId, groupId: groupId.toLowerCase() })).length > 0
}

/** Whether there is such a group, and it is the tenant's; it stays until the transaction ends. */
export const keepGroup = (tx: Tx, tenantId: string, groupId: string): Promise<boolean> =>
  keepRecord(tx, 'organization_groups', tenantId, groupId)

const membership = compileOnce(
  (read, { tenantId, groupId, userId }: { tenantId: string; groupId: string; userId: string }) =>
    read
      .selectFrom('organization_group_members')
      .select('user_id')
      .where('tenant_id', '=', tenantId)
      .where('group_id', '=', groupId)
      .where('user_id', '=', userId),
)

const groupById = compileOnce((read, { tenantId, groupId }: { tenantId: string; groupId: string }) =>
  read
    .selectFrom('organization_groups')
    .select('id')
    .where('id', '=', groupId)
    .where('tenant_id', '=', tenantId)
    .where('is_deleted', '=', no),
)

/** Takes a user out of every group. */
export async function leaveGroups(tx: Tx, tenantId: string, userId: string): Promise<void> {
  await tx
    .deleteFrom('organization_group_members')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .execute()
}
