import type { Readable } from '../../database/database.ts'
import type { ListQuery } from '../../kit/collection.ts'
import type { ColumnField } from '../../kit/filter/fields.ts'
import { readListQuery } from '../../kit/list-query.ts'
import { offsetOf, type Page, toPage } from '../../kit/page.ts'
import { type Client, fromRow, previousSecretUntil, selectClients } from './store.ts'

const id: ColumnField = { name: 'id', column: 'id', nullable: false, type: 'uuid' }
const fieldsAt = (now: number): readonly ColumnField[] => [
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
  const { page, condition, ordering } = readListQuery(query, fieldsAt(now), id, 'createdAt')
  const live = selectClients(read, tenantId)
  const matching = condition ? live.where(condition) : live
  const { count } = await matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await matching.selectAll().orderBy(ordering).limit(page.pageSize).offset(offsetOf(page)).execute()
  return toPage(rows.map(fromRow), Number(count), page.pageNumber, page.pageSize)
}
