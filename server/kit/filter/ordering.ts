import { type RawBuilder, sql } from 'kysely'
import { fieldValue } from './fields.ts'
import type { SortKey } from './sorting.ts'

/** What to order a query by; where nulls go is said for columns that may hold them, since the stores' defaults differ. */
export function toOrdering(keys: SortKey[]): RawBuilder<unknown> {
  return sql.join(
    keys.map(({ field, direction }) => {
      const nulls = field.nullable ? (direction === 'asc' ? ' nulls first' : ' nulls last') : ''
      return sql`${fieldValue(field)} ${sql.raw(direction + nulls)}`
    }),
  )
}
