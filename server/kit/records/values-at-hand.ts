import { sql } from 'kysely'
import type { Readable } from '../../database/database.ts'
import type { ListQuery } from '../collection.ts'
import type { ColumnField } from '../filter/fields.ts'
import { readListQuery } from '../list-query.ts'
import { offsetOf, type Page, toPage } from '../page.ts'
import { storeOf } from './store.ts'

/** The table that the columns of values at hand are of. */
export const tableAtHand = 'values_at_hand'

const place: ColumnField = { name: 'place', column: `${tableAtHand}.place`, nullable: false, type: 'integer' }

/**
 * The page that a list request asks for of a few values that no table holds, `rowOf` each as a row would keep it under the
 * columns of `fields`. They stay in their order unless a sortOrder says otherwise, and then the first field breaks ties. The
 * database compares them, so that a filter means what it means everywhere. Throws the validation problem.
 */
export async function listValues<Value>(
  read: Readable,
  values: readonly Value[],
  rowOf: (value: Value) => object,
  fields: readonly [ColumnField, ...ColumnField[]],
  query: ListQuery,
): Promise<Page<Value>> {
  const { page, condition, ordering } = readListQuery(query, fields, query.sortOrder?.trim() ? fields[0] : place, '')
  const rows = values.map((value, at) => ({ ...rowOf(value), place: at }))
  const from = tableOf(read, JSON.stringify(rows), [place, ...fields])
  const found = await sql<{ place: number }>`select place from (${from}) as ${sql.ref(tableAtHand)}
where ${condition ?? sql`1 = 1`} order by ${ordering}`.execute(read)
  const matching = found.rows.map(({ place: at }) => values[Number(at)]!)
  const shown = matching.slice(offsetOf(page), offsetOf(page) + page.pageSize)
  return toPage(shown, matching.length, page.pageNumber, page.pageSize)
}

/** A list of objects, which is one parameter, as rows of these columns. */
function tableOf(read: Readable, list: string, fields: readonly ColumnField[]) {
  const columns = fields.map(({ column, type }) => ({ name: column.slice(tableAtHand.length + 1), type }))
  if (storeOf(read) === 'sqlite')
    return sql`select ${sql.join(columns.map(({ name }) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`))}
from json_each(${list})`
  const typed = columns.map(({ name, type }) => sql`${sql.ref(name)} ${sql.raw(sqlTypes[type])}`)
  return sql`select * from json_to_recordset(${list}) as r (${sql.join(typed)})`
}

const text = 'text collate "C"'
const sqlTypes: Record<ColumnField['type'], string> = {
  ...{ text, uuid: text, enum: text, duration: text, amount: text, sealed: text },
  ...{ integer: 'bigint', boolean: 'bigint', instant: 'bigint', decimal: 'double precision' },
}
