import type { Tx } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { compileOnce } from '../compiled-query.ts'
import type { WriteContext } from '../context.ts'
import { no } from '../flags.ts'
import { requireRevision } from '../if-match.ts'
import { recordNotFound } from '../problem.ts'
import { perTable, type RecordTable } from './store.ts'

/**
 * The tenant's live record that a request changes, its row locked until the transaction ends; throws the not-found problem,
 * and the precondition problem when If-Match names another revision.
 */
export async function lockForChange<T extends RecordTable>(
  context: WriteContext,
  table: T,
  id: string,
  what: string,
): Promise<Tables[T]> {
  // An update takes the row's lock on PostgreSQL, and answers what stands there once it has it.
  const row = await context.tx
    .updateTable(table as 'tags')
    .set((eb) => ({ revision_number: eb.ref('revision_number') }))
    .where('tenant_id', '=', context.tenant.id)
    .where('id', '=', id.toLowerCase())
    .where('is_deleted', '=', no)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw recordNotFound(what)
  requireRevision(context, row.revision_number)
  return row as unknown as Tables[T]
}

/** The same of a record that a request deletes: what refers to it (`keepRecord`) is waited for. */
export async function lockForDeletion<T extends RecordTable>(
  context: WriteContext,
  table: T,
  id: string,
  what: string,
): Promise<Tables[T]> {
  const { tx, tenant } = context
  await tx
    .selectFrom(table as 'tags')
    .select('id')
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', id.toLowerCase())
    .forUpdate()
    .execute()
  return lockForChange(context, table, id, what)
}

/** Whether the tenant has a live record of that id, which nobody deletes until the transaction ends. */
export async function keepRecord(tx: Tx, table: RecordTable, tenantId: string, id: string): Promise<boolean> {
  return (await keeperOf(table)(tx, { tenantId, id: id.toLowerCase() })).length > 0
}

const keeperOf = perTable((table) =>
  compileOnce((tx, { tenantId, id }: { tenantId: string; id: string }) =>
    tx
      .selectFrom(table as 'tags')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .where('is_deleted', '=', no)
      .forKeyShare(),
  ),
)
