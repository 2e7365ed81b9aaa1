import type { Readable, Tx } from '../../database/database.ts'
import { compileOnce } from '../../kit/compiled-query.ts'
import { no } from '../../kit/flags.ts'
import { isAmong, listed } from '../../kit/listed-values.ts'

/** A group, and a user who may be a member of it. */
export type Membership = readonly [groupId: string, userId: string]

/** Those of these in which the user is a member of the group, a live one of the tenant; asked in one question. */
export async function membersAmong(
  read: Readable,
  tenantId: string,
  asked: readonly Membership[],
): Promise<Membership[]> {
  if (asked.length === 0) return []
  const idsAt = (place: 0 | 1) => listed(read, [...new Set(asked.map((one) => one[place].toLowerCase()))])
  const rows = await memberships(read, { tenantId, groupIds: idsAt(0), userIds: idsAt(1) })
  const found = new Set(rows.map(({ group_id, user_id }) => `${group_id} ${user_id}`))
  return asked.filter(([groupId, userId]) => found.has(`${groupId} ${userId}`.toLowerCase()))
}

const memberships = compileOnce(
  (read, { tenantId, groupIds, userIds }: { tenantId: string; groupIds: unknown; userIds: unknown }) =>
    read
      .selectFrom('organization_group_members')
      .innerJoin('organization_groups', 'organization_groups.id', 'organization_group_members.group_id')
      .select(['group_id', 'user_id'])
      .where('organization_group_members.tenant_id', '=', tenantId)
      .where(isAmong(read, 'group_id', groupIds))
      .where(isAmong(read, 'user_id', userIds))
      .where('organization_groups.tenant_id', '=', tenantId)
      .where('organization_groups.is_deleted', '=', no),
)

/** Takes a user out of every group. */
export async function leaveGroups(tx: Tx, tenantId: string, userId: string): Promise<void> {
  await tx
    .deleteFrom('organization_group_members')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .execute()
}
