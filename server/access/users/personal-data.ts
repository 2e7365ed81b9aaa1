import type { Readable, Tx } from '../../database/database.ts'
import { leaveGroups } from '../organization-groups/membership.ts'
import { type Person, type PersonalData, toPersonalRecord } from './person.ts'

/** The user, and the groups that they belong to. */
export async function dataOfUser(
  read: Readable,
  { tenantId, userId }: Person,
): Promise<PersonalData<'users' | 'organizationGroups'>> {
  const users = read.selectFrom('users').selectAll().where('tenant_id', '=', tenantId).where('id', '=', userId)
  const groups = read
    .selectFrom('organization_group_members')
    .innerJoin('organization_groups', 'organization_groups.id', 'organization_group_members.group_id')
    .select(['organization_groups.id', 'organization_groups.name', 'organization_group_members.added_at'])
    .where('organization_group_members.tenant_id', '=', tenantId)
    .where('organization_group_members.user_id', '=', userId)
    .orderBy('organization_groups.id')
  return {
    users: (await users.execute()).map(toPersonalRecord),
    organizationGroups: (await groups.execute()).map(toPersonalRecord),
  }
}

/** Removes the user, to whom nothing may be assigned any more; answers the ids of the records that told of them. */
export async function eraseUser(tx: Tx, { tenantId, userId }: Person): Promise<string[]> {
  await leaveGroups(tx, tenantId, userId)
  await tx.deleteFrom('users').where('tenant_id', '=', tenantId).where('id', '=', userId).execute()
  return [userId]
}
