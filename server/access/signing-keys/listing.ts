import type { Readable } from '../../database/database.ts'
import type { ListQuery } from '../../kit/collection.ts'
import type { ColumnField } from '../../kit/filter/fields.ts'
import { readListQuery } from '../../kit/list-query.ts'
import { offsetOf, type Page, toPage } from '../../kit/page.ts'
import { type PublicKeyRow, selectSigningKeys } from './store.ts'

const id: ColumnField = { name: 'id', column: 'id', nullable: false, type: 'uuid' }
const fields: readonly ColumnField[] = [
  id,
  { name: 'purpose', column: 'purpose', nullable: false, type: 'text' },
  { name: 'algorithm', column: 'algorithm', nullable: false, type: 'text' },
  { name: 'createdAt', column: 'created_at', nullable: false, type: 'instant' },
  { name: 'retiredAt', column: 'retired_at', nullable: true, type: 'instant' },
  { name: 'verifiesUntil', column: 'verifies_until', nullable: true, type: 'instant' },
]

/** A page of the tenant's keys in use and retired, oldest first unless a sortOrder says otherwise; throws the validation problem. */
export async function listPage(read: Readable, tenantId: string, query: ListQuery): Promise<Page<PublicKeyRow>> {
  const { page, condition, ordering } = readListQuery(query, fields, id, 'createdAt')
  const all = selectSigningKeys(read, tenantId)
  const matching = condition ? all.where(condition) : all
  const { count } = await matching
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const rows = await matching.orderBy(ordering).limit(page.pageSize).offset(offsetOf(page)).execute()
  return toPage(rows, Number(count), page.pageNumber, page.pageSize)
}
