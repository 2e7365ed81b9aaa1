import { type ColumnField, type FilterField, getSortField } from './fields.ts'
import { checkFilterCount, checkFilterText } from './limits.ts'
import { FilterRefused, quoted } from './refusal.ts'

/** One step of an order; missing values come first when ascending and last when descending. */
export type SortKey = { field: ColumnField; direction: 'asc' | 'desc' }

/**
 * The order that `a,-b` asks for, of which the first mention of a field counts, made total by the tiebreak field, which no
 * two records share, ascending. Empty terms between commas are skipped. Throws FilterRefused.
 */
export function parseSortOrder(text: string, fields: readonly FilterField[], tiebreak: ColumnField): SortKey[] {
  checkFilterText('/sortOrder', text)
  const terms = text.split(',').map((term) => term.trim())
  const asked = terms.filter((term) => term !== '')
  checkFilterCount('/sortOrder', 'terms', asked.length)
  const keys = asked.map((term) => parseSortKey(term, fields))
  const total = [...keys, { field: tiebreak, direction: 'asc' as const }]
  return total.filter((key, index) => total.findIndex((earlier) => earlier.field.column === key.field.column) === index)
}

function parseSortKey(term: string, fields: readonly FilterField[]): SortKey {
  const [, minus, name = ''] = /^(-?)\s*(.*)$/s.exec(term)!
  if (name === '' || name.startsWith('-'))
    throw new FilterRefused('/sortOrder', `the term ${quoted(term)} does not name a field`)
  return { field: getSortField(fields, name), direction: minus ? 'desc' : 'asc' }
}
