import type { Readable, Tx } from '../../database/database.ts'
import { no } from '../../kit/flags.ts'
import { isAmong, listed } from '../../kit/listed-values.ts'

/** What tells an organization group apart: in its tenant the id, in every tenant the name. */
export interface GroupName {
  id: string
  name: string
}

/** Those of the tenant's organization groups that have one of these ids, or names. */
export async function findGroups(
  readable: Readable,
  tenantId: string,
  column: 'id' | 'name',
  values: readonly string[],
): Promise<GroupName[]> {
  if (values.length === 0) return []
  return readable
    .selectFrom('organization_groups')
    .select(['id', 'name'])
    .where('tenant_id', '=', tenantId)
    .where('is_deleted', '=', no)
    .where(isAmong(readable, column, listed(readable, [...new Set(values)])))
    .execute()
}

/** Whether a group is still there and called so, and stays it until the transaction ends. */
export async function keepGroup(tx: Tx, tenantId: string, { id, name }: GroupName): Promise<boolean> {
  const kept = await tx
    .selectFrom('organization_groups')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('name', '=', name)
    .where('is_deleted', '=', no)
    .forKeyShare()
    .executeTakeFirst()
  return kept !== undefined
}
