import type { Statement } from '../compiled-query.ts'

/**
 * Rows as a PostgreSQL query of a table's columns, its text the same whatever they hold. A parameter for each value would cost
 * more than the writing; so there is an array for each column, which is read in half the time that JSON takes. What is the same
 * in all rows is sent once.
 */
export function rowsAsArrays(table: string, columns: readonly string[], rows: readonly object[]): Statement {
  const at = (row: object, column: string) => (row as Record<string, unknown>)[column] ?? null
  const first = rows[0]!
  // The first tells how many there are.
  const varying = columns.filter(
    (column, index) => rows.length > 1 && (index === 0 || rows.some((row) => at(row, column) !== at(first, column))),
  )
  const common = Object.fromEntries(
    columns.map((column) => [column, varying.includes(column) ? null : at(first, column)]),
  )
  const same = `json_populate_record(null::${table}, $1)`
  if (varying.length === 0)
    return { text: `select ${columns.join(',')} from ${same}`, parameters: [JSON.stringify(common)] }
  // An array is of the type of what stands in its place when there is none.
  const arrays = columns.map((column, index) => `coalesce($${index + 2}, array[(null::${table}).${column}])`)
  return {
    text: `select ${columns.map((column) => `coalesce(own.${column}, same.${column})`).join(',')}
from ${same} same, unnest(${arrays.join(',')}) own(${columns.join(',')})`,
    parameters: [
      JSON.stringify(common),
      ...columns.map((column) => (varying.includes(column) ? arrayOf(rows.map((row) => at(row, column))) : '{}')),
    ],
  }
}

/** Texts or numbers as a parameter that is an array; null stands for none. */
function arrayOf(values: readonly unknown[]): Buffer | string {
  if (values.some((value) => typeof value === 'string')) return textArray(values as (string | null)[])
  return `{${values.map((value) => value ?? 'null').join(',')}}`
}

const textType = 25

/** PostgreSQL's binary form of a `text[]` (its array_recv): nothing in it is escaped, nor looked through for what is. */
function textArray(texts: readonly (string | null)[]): Buffer {
  const sizes = texts.map((text) => (text === null ? -1 : Buffer.byteLength(text)))
  const bytes = Buffer.allocUnsafe(20 + sizes.reduce((sum, size) => sum + 4 + Math.max(size, 0), 0))
  const [dimensions, hasNulls, lowerBound] = [1, 1, 1]
  let place = 0
  for (const head of [dimensions, hasNulls, textType, texts.length, lowerBound]) place = bytes.writeInt32BE(head, place)
  for (const [index, text] of texts.entries()) {
    place = bytes.writeInt32BE(sizes[index]!, place)
    if (text !== null) place += bytes.write(text, place)
  }
  return bytes
}
