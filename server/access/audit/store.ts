import type { SelectQueryBuilder } from 'kysely'
import type { Readable } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import type { ListQuery } from '../../kit/collection.ts'
import type { ColumnField } from '../../kit/filter/fields.ts'
import { recordNotFound } from '../../kit/problem.ts'
import { listRows } from '../../kit/records/plain-list.ts'

export type EntryRow = Tables['audit_entries']

const column = (name: string, column: string) => ({ name, column: `audit_entries.${column}`, nullable: false })

/** What the audit log is filtered and sorted by; the id tells entries apart. */
export const auditFilterFields: readonly [ColumnField, ...ColumnField[]] = [
  { ...column('id', 'id'), type: 'uuid' },
  { ...column('occurredAt', 'occurred_at'), type: 'instant' },
  { ...column('actor', 'actor'), type: 'text' },
  { ...column('operation', 'operation'), type: 'text' },
  { ...column('recordKind', 'record_kind'), type: 'text' },
  { ...column('recordId', 'record_id'), type: 'uuid', nullable: true },
  { ...column('correlationId', 'correlation_id'), type: 'text' },
]

const entriesOf = (read: Readable, tenantId: string): SelectQueryBuilder<Tables, 'audit_entries', object> =>
  read.selectFrom('audit_entries').where('tenant_id', '=', tenantId)

/** A page of the tenant's entries, the latest first unless a sortOrder says otherwise. */
export const listEntries = (read: Readable, tenantId: string, query: ListQuery) =>
  listRows(entriesOf(read, tenantId), auditFilterFields, '-occurredAt,-id', query)

/** A tenant's entry; throws the not-found problem. */
export async function getEntry(read: Readable, tenantId: string, id: string): Promise<EntryRow> {
  const row = await entriesOf(read, tenantId).selectAll().where('id', '=', id.toLowerCase()).executeTakeFirst()
  if (!row) throw recordNotFound('audit entry')
  return row
}
