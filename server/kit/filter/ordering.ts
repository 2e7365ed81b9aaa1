import { type RawBuilder, sql } from 'kysely'
import { fieldValue } from './fields.ts'
import type { SortKey } from './sorting.ts'

/**
 * What to order a query by; where nulls go is said for columns that may hold them, since the stores' defaults differ. By
 * `reckoned`, the column of a number, no index orders.
 */
export function toOrdering(keys: readonly SortKey[], reckoned?: string): RawBuilder<unknown> {
  return sql.join(
    keys.map(({ field, direction }) => {
      const nulls = field.nullable ? (direction === 'asc' ? ' nulls first' : ' nulls last') : ''
      const value = field.column === reckoned ? sql`${fieldValue(field)} + 0` : fieldValue(field)
      return sql`${value} ${sql.raw(direction + nulls)}`
    }),
  )
}
