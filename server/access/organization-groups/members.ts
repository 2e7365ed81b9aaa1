import type { Readable, Tx } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'
import { isAmong, isTenants, listed } from '../../kit/listed-values.ts'
import { invalid } from '../../kit/problem.ts'
import type { Stamp } from '../../kit/records/stamp.ts'

const atOnce = 1000

/** The live members of groups, each group's in the order of their ids; a group without any has no entry. */
export async function membersOf(
  read: Readable,
  tenantId: string,
  groupIds: readonly string[],
): Promise<Map<string, string[]>> {
  if (groupIds.length === 0) return new Map()
  const rows = await read
    .selectFrom('organization_group_members')
    .innerJoin('users', 'users.id', 'organization_group_members.user_id')
    .select(['group_id', 'user_id'])
    .where('organization_group_members.tenant_id', '=', tenantId)
    .where('group_id', 'in', groupIds)
    .where('users.is_deleted', '=', no)
    .orderBy('group_id')
    .orderBy('user_id')
    .execute()
  const byGroup = Map.groupBy(rows, ({ group_id }) => group_id)
  return new Map([...byGroup].map(([id, members]) => [id, members.map(({ user_id }) => user_id)]))
}

/**
 * The ids of users as they are stored: each once, in order, and kept from being deleted until the transaction ends; throws
 * the validation problem for one who is not there.
 */
export async function resolveMembers(tx: Tx, tenantId: string, given: readonly string[]): Promise<string[]> {
  const ids = given.map((id) => id.toLowerCase())
  const sought = [...new Set(ids)].sort()
  const rows = await tx
    .selectFrom('users')
    .select('id')
    .where(isTenants(tx, tenantId))
    .where('is_deleted', '=', no)
    .where(isAmong(tx, 'id', listed(tx, sought)))
    .orderBy('id')
    .forKeyShare()
    .execute()
  const found = new Set(rows.map(({ id }) => id))
  const errors = ids.flatMap((id, index) =>
    found.has(id) ? [] : [{ pointer: `/members/${index}`, message: 'there is no such user' }],
  )
  if (errors.length > 0) throw invalid(errors.slice(0, 100))
  return [...found].sort()
}

/** Makes `after` the members of a group that has had `before`. */
export async function replaceMembers(
  tx: Tx,
  groupId: string,
  { tenantId, now }: Stamp,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  const leaving = notIn(before, after)
  const joining = notIn(after, before)
  for (let start = 0; start < leaving.length; start += atOnce)
    await tx
      .deleteFrom('organization_group_members')
      .where('tenant_id', '=', tenantId)
      .where('group_id', '=', groupId)
      .where('user_id', 'in', leaving.slice(start, start + atOnce))
      .execute()
  for (let start = 0; start < joining.length; start += atOnce)
    await tx
      .insertInto('organization_group_members')
      .values(
        joining
          .slice(start, start + atOnce)
          .map((user_id) => ({ tenant_id: tenantId, group_id: groupId, user_id, added_at: now })),
      )
      .execute()
}

function notIn(some: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others)
  return some.filter((id) => !known.has(id))
}
