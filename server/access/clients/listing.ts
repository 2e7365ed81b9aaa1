import type { Readable } from '../../database/database.ts'
import type { ListQuery } from '../../kit/collection.ts'
import { toCondition } from '../../kit/filter/condition.ts'
import type { ColumnField } from '../../kit/filter/fields.ts'
import { parseFilter } from '../../kit/filter/grammar.ts'
import { toOrdering } from '../../kit/filter/ordering.ts'
import { FilterRefused } from '../../kit/filter/refusal.ts'
import { parseSortOrder } from '../../kit/filter/sorting.ts'
import { offsetOf, type Page, PageRefused, parsePageRequest, toPage } from '../../kit/page.ts'
import { invalid } from '../../kit/problem.ts'
import { type Client, fromRow, selectClients } from './store.ts'

const id: ColumnField = { name: 'id', column: 'id', nullable: false, type: 'uuid' }
const fields: readonly ColumnField[] = [
  id,
  { name: 'name', column: 'name', nullable: false, type: 'text' },
  { name: 'createdAt', column: 'created_at', nullable: false, type: 'instant' },
  { name: 'updatedAt', column: 'updated_at', nullable: false, type: 'instant' },
  { name: 'revisionNumber', column: 'revision_number', nullable: false, type: 'integer' },
]

/** A page of the tenant's clients, oldest first unless a sortOrder says otherwise; throws the validation problem. */
export async function listPage(read: Readable, tenantId: string, query: ListQuery): Promise<Page<Client>> {
  const { page, condition, ordering } = readQuery(query)
  const matching = selectClients(read, tenantId).where(condition)
  const { count } = await matching.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await matching.selectAll().orderBy(ordering).limit(page.pageSize).offset(offsetOf(page)).execute()
  return toPage(rows.map(fromRow), Number(count), page.pageNumber, page.pageSize)
}

function readQuery(query: ListQuery) {
  try {
    return {
      page: parsePageRequest(query),
      condition: toCondition(parseFilter(query.filter ?? ''), fields),
      ordering: toOrdering(parseSortOrder(query.sortOrder?.trim() || 'createdAt', fields, id)),
    }
  } catch (error) {
    if (error instanceof FilterRefused || error instanceof PageRefused)
      throw invalid([{ pointer: error.pointer.slice(1), message: error.message }])
    throw error
  }
}
