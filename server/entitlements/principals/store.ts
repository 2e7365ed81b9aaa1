import { type Expression, type SqlBool, sql } from 'kysely'
import type { Readable, Tx } from '../../database/database.ts'
import type { ListQuery } from '../../kit/collection.ts'
import type { ColumnField, TextListField } from '../../kit/filter/fields.ts'
import { no } from '../../kit/flags.ts'
import { listRows } from '../../kit/records/plain-list.ts'
import type { Stamp } from '../../kit/records/stamp.ts'
import type { PrincipalTables } from './tables.ts'

export type AssignmentRow = PrincipalTables['entitlement_principals']

const column = (name: string, column: string) => ({ name, column: `entitlement_principals.${column}`, nullable: false })

/** Of one entitlement's assignments, the user tells them apart. */
export const assignmentFilterFields: readonly [ColumnField, ...ColumnField[]] = [
  { ...column('userId', 'user_id'), type: 'uuid' },
  { ...column('entitlementId', 'entitlement_id'), type: 'uuid' },
  { ...column('assignedAt', 'assigned_at'), type: 'instant' },
]

/** The users whom an entitlement is assigned to, as a field that its list may be filtered by. */
export const principalIds: TextListField = {
  name: 'principalIds',
  type: 'textList',
  only: 'filter',
  elements: (match) => {
    const holds = match(sql.ref('assigned.user_id') as unknown as Expression<string>)
    return sql<SqlBool>`entitlements.id in (select assigned.entitlement_id from entitlement_principals as assigned where ${holds})`
  },
}

const assignmentsOf = (read: Readable, tenantId: string, entitlementId: string) =>
  read
    .selectFrom('entitlement_principals')
    .where('tenant_id', '=', tenantId)
    .where('entitlement_id', '=', entitlementId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('users')
          .select('users.id')
          .whereRef('users.id', '=', 'entitlement_principals.user_id')
          .where('users.is_deleted', '=', no),
      ),
    )

/** A page of an entitlement's assignments to users who are there, the first assigned first. */
export const listAssignments = (read: Readable, tenantId: string, entitlementId: string, query: ListQuery) =>
  listRows(assignmentsOf(read, tenantId, entitlementId), assignmentFilterFields, 'assignedAt', query)

/** Assigns a user to an entitlement, unless that is so already. */
export async function assign(tx: Tx, stamp: Stamp, entitlementId: string, userId: string): Promise<void> {
  const { tenantId, now, actor } = stamp
  await tx
    .insertInto('entitlement_principals')
    .values({
      tenant_id: tenantId,
      entitlement_id: entitlementId,
      user_id: userId,
      assigned_at: now,
      assigned_by: actor,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The assignment of a user who has it. */
export const getAssignment = (
  tx: Tx,
  tenantId: string,
  entitlementId: string,
  userId: string,
): Promise<AssignmentRow> =>
  assignmentsOf(tx, tenantId, entitlementId).selectAll().where('user_id', '=', userId).executeTakeFirstOrThrow()

/** Takes an entitlement from a user; false when it was not theirs. */
export async function unassign(tx: Tx, tenantId: string, entitlementId: string, userId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('entitlement_principals')
    .where('tenant_id', '=', tenantId)
    .where('entitlement_id', '=', entitlementId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
