import type { SelectQueryBuilder } from 'kysely'
import type { Tables } from '../../database/tables.ts'
import type { ListQuery } from '../collection.ts'
import type { ColumnField, FilterField } from '../filter/fields.ts'
import { readListQuery } from '../list-query.ts'
import { type Page, toPage } from '../page.ts'
import { readCountedPage } from './counted-page.ts'

/**
 * The page of rows that a list request asks for, of a query that selects nothing yet, over rows that are no records of
 * their own. The first of `fields` tells them apart; they go by `usualOrder` unless a sortOrder says otherwise. Of a row
 * `columns` are read, all unless said. Throws the validation problem.
 */
export async function listRows<T extends keyof Tables, C extends keyof Tables[T] = keyof Tables[T]>(
  from: SelectQueryBuilder<Tables, T, object>,
  fields: readonly [ColumnField, ...FilterField[]],
  usualOrder: string,
  query: ListQuery,
  columns?: readonly C[],
): Promise<Page<Pick<Tables[T], C>>> {
  const { page, condition, ordering } = readListQuery(query, fields, fields[0], usualOrder)
  const all = from as unknown as SelectQueryBuilder<Tables, 'tags', object>
  const matching = condition ? all.where(condition) : all
  const select = (found: typeof matching) => (columns ? found.select(columns as never) : found.selectAll())
  const id = fields[0].name === 'id' ? { id: fields[0].column } : {}
  const { rows, totalCount } = await readCountedPage<Pick<Tables[T], C>>({ matching, ...id, select, ordering, page })
  return toPage(rows, totalCount, page.pageNumber, page.pageSize)
}
