import type { WriteContext } from '../context.ts'
import { no } from '../flags.ts'
import { Problem } from '../problem.ts'
import type { RecordTable } from './store.ts'

/**
 * Refuses these values of columns that no two live records of the tenant share, where another than `ownId` has them; `what`
 * says who that is, such as "a user with this e-mail address". Whoever takes them at the same moment the database refuses.
 */
export async function refuseTaken(
  { tx, tenant }: WriteContext,
  table: RecordTable,
  columns: Readonly<Record<string, string>>,
  what: string,
  ownId?: string,
): Promise<void> {
  let query = tx
    .selectFrom(table as 'campaigns')
    .select('id')
    .where('tenant_id', '=', tenant.id)
    .where('is_deleted', '=', no)
  for (const [column, value] of Object.entries(columns)) query = query.where(column as 'name', '=', value)
  const holder = await query.executeTakeFirst()
  if (holder && holder.id !== ownId) throw new Problem('catalog.duplicate_key', `There is ${what} already.`)
}
