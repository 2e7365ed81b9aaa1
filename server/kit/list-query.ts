import type { ListQuery } from './collection.ts'
import { toCondition } from './filter/condition.ts'
import type { ColumnField, FilterField } from './filter/fields.ts'
import { parseFilter } from './filter/grammar.ts'
import { toOrdering } from './filter/ordering.ts'
import { FilterRefused } from './filter/refusal.ts'
import { parseSortOrder } from './filter/sorting.ts'
import { PageRefused, parsePageRequest } from './page.ts'
import { invalid } from './problem.ts'

/** What a list request asks for as a page, a condition and an order (`usualOrder` when it names none); throws the validation problem. */
export function readListQuery(
  query: ListQuery,
  fields: readonly FilterField[],
  idField: ColumnField,
  usualOrder: string,
) {
  return refusingInvalid(() => {
    const terms = parseFilter(query.filter ?? '')
    const keys = parseSortOrder(query.sortOrder?.trim() || usualOrder, fields, idField)
    return {
      page: parsePageRequest(query),
      condition: terms.length > 0 ? toCondition(terms, fields) : undefined,
      keys,
      ordering: toOrdering(keys),
    }
  })
}

function refusingInvalid<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof FilterRefused || error instanceof PageRefused)
      throw invalid([{ pointer: error.pointer.slice(1), message: error.message }])
    throw error
  }
}
