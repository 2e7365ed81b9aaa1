import { type SqlBool, sql } from 'kysely'
import type { Readable } from '../database/database.ts'
import { foldFunction } from './filter/folding.ts'
import { anyOf } from './filter/text-matching.ts'
import { storeOf } from './records/store.ts'

/** The SQL function by which a text is compared with a folded one: the database's own, and its indexes, where that does for it. */
const foldOf = (folded: string) => sql.raw(/^[!-~]*$/.test(folded) ? 'lower' : foldFunction)

/** Whether a column has any of a few folded texts, letter case aside. */
export const isFoldedAmong = (column: string, folded: readonly string[]) =>
  anyOf(folded.map((text) => sql<SqlBool>`${foldOf(text)}(${sql.ref(column)}) = ${text}`))

/** Whether any of a few folded texts stands somewhere in a column, letter case aside. */
export const holdsFolded = (read: Readable, column: string, folded: readonly string[]) => {
  const place = sql.raw(storeOf(read) === 'postgres' ? 'strpos' : 'instr')
  return anyOf(folded.map((text) => sql<SqlBool>`${place}(${foldOf(text)}(${sql.ref(column)}), ${text}) > 0`))
}
