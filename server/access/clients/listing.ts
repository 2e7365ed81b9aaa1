import type { Readable } from '../../database/database.ts'
import type { ListQuery } from '../../kit/collection.ts'
import type { ColumnField } from '../../kit/filter/fields.ts'
import type { Page } from '../../kit/page.ts'
import { listRows } from '../../kit/records/plain-list.ts'
import { type Client, fromRow, previousSecretUntil, selectClients } from './store.ts'

const id: ColumnField = { name: 'id', column: 'id', nullable: false, type: 'uuid' }
const fieldsAt = (now: number): readonly [ColumnField, ...ColumnField[]] => [
  id,
  { ...id, name: 'clientId' },
  { name: 'name', column: 'name', nullable: false, type: 'text' },
  {
    name: 'previousSecretValidUntil',
    column: 'previous_secret_valid_until',
    workedOut: previousSecretUntil(now),
    nullable: true,
    type: 'instant',
  },
  { name: 'createdAt', column: 'created_at', nullable: false, type: 'instant' },
  { name: 'updatedAt', column: 'updated_at', nullable: false, type: 'instant' },
  { name: 'revisionNumber', column: 'revision_number', nullable: false, type: 'integer' },
]

/** A page of the tenant's clients, oldest first unless a sortOrder says otherwise; throws the validation problem. */
export async function listPage(read: Readable, tenantId: string, query: ListQuery, now: number): Promise<Page<Client>> {
  const page = await listRows(selectClients(read, tenantId), fieldsAt(now), 'createdAt', query)
  return { ...page, items: page.items.map(fromRow) }
}
