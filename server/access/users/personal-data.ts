import type { Readable, Tx } from '../../database/database.ts'
import { no, yes } from '../../kit/flags.ts'
import { isAmong, isTenants, listed } from '../../kit/listed-values.ts'
import { leaveGroups } from '../organization-groups/membership.ts'
import { userKind } from './contract.ts'
import { foldEmail } from './email-address.ts'
import { verifiedAddresses } from './former-addresses.ts'
import { type KnownPerson, type Person, type PersonalData, toPersonalRecord } from './person.ts'

const usersOf = (read: Readable, tenantId: string) => read.selectFrom('users').where('tenant_id', '=', tenantId)

/**
 * The person behind a user, a deleted one too; undefined when there is none, or none any more. An address counts that is
 * verified, or was while the user had it and no other user has by now.
 */
export async function findKnownPerson(
  read: Readable,
  tenantId: string,
  userId: string,
): Promise<KnownPerson | undefined> {
  const user = await usersOf(read, tenantId)
    .select(['id', 'folded_email', 'email_verified'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!user) return undefined
  const former = await listFormerAddresses(read, tenantId, userId)
  const unverified = new Set(user.email_verified === 1 ? [] : [user.folded_email])
  const candidates = new Set([...former, ...(unverified.size === 0 ? [user.folded_email] : [])])
  // The live and the deleted are in an index each, as the literals tell.
  const namesakes = usersOf(read, tenantId)
    .select(['id', 'folded_email'])
    .where(isAmong(read, 'folded_email', listed(read, [...candidates, ...unverified])))
    .where('id', '<>', userId)
  for (const { folded_email } of await namesakes.where('is_deleted', '=', no).execute()) {
    candidates.delete(folded_email)
    unverified.delete(folded_email)
  }
  const deleted = await namesakes.where('is_deleted', '=', yes).orderBy('id').execute()
  const theirs = deleted.filter(({ folded_email }) => candidates.has(folded_email))
  const userIds = [userId, ...theirs.map(({ id }) => id)]
  return { tenantId, userIds, addresses: [...candidates], unverified: [...unverified] }
}

/** Keeps whatever the user causes out until the transaction ends, and waits for what is under way. */
export async function lockUser(tx: Tx, tenantId: string, userId: string): Promise<void> {
  await usersOf(tx, tenantId).select('id').where('id', '=', userId).forUpdate().execute()
}

async function listFormerAddresses(read: Readable, tenantId: string, userId: string): Promise<string[]> {
  const entries = await read
    .selectFrom('audit_entries')
    .select(['before', 'after'])
    .where('tenant_id', '=', tenantId)
    .where('record_id', '=', userId)
    .where('record_kind', '=', userKind.table)
    .orderBy('occurred_at')
    .orderBy('id')
    .execute()
  const fieldsOf = (text: string | null) => (text === null ? null : (JSON.parse(text) as Record<string, unknown>))
  const told = entries.map(({ before, after }) => ({ before: fieldsOf(before), after: fieldsOf(after) }))
  return verifiedAddresses(told).map(foldEmail)
}

/** The user, others of theirs who were deleted, and the groups that they belong to. */
export async function dataOfUser(
  read: Readable,
  { tenantId, userIds }: Person,
): Promise<PersonalData<'users' | 'organizationGroups'>> {
  const ids = listed(read, userIds)
  const users = usersOf(read, tenantId)
    .selectAll()
    .where(isAmong(read, 'id', ids))
    .orderBy('is_deleted')
    .orderBy('id')
  const groups = read
    .selectFrom('organization_group_members')
    .innerJoin('organization_groups', 'organization_groups.id', 'organization_group_members.group_id')
    .select(['organization_groups.id', 'organization_groups.name', 'organization_group_members.added_at'])
    .where('organization_group_members.tenant_id', '=', tenantId)
    .where(isAmong(read, 'organization_group_members.user_id', ids))
    .orderBy('organization_groups.id')
  return {
    users: (await users.execute()).map((row) => userKind.toWire(row, {})),
    organizationGroups: (await groups.execute()).map(toPersonalRecord),
  }
}

/** Removes the users of a person, to whom nothing may be assigned any more; answers their ids. */
export async function eraseUser(tx: Tx, { tenantId, userIds }: Person): Promise<readonly string[]> {
  for (const userId of userIds) await leaveGroups(tx, tenantId, userId)
  await tx
    .deleteFrom('users')
    .where(isTenants(tx, tenantId))
    .where(isAmong(tx, 'id', listed(tx, userIds)))
    .execute()
  return userIds
}
