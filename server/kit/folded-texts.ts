import { sql } from 'kysely'
import type { Readable } from '../database/database.ts'
import { foldFunction } from './filter/folding.ts'
import { storeOf } from './records/store.ts'

/** The SQL function by which a text is compared with a folded one: the database's own, and its indexes, where that does for it. */
const foldOf = (folded: string) => sql.raw(/^[!-~]*$/.test(folded) ? 'lower' : foldFunction)

/** Whether a column has any of a few folded texts, letter case aside. */
export const isFoldedAmong = (column: string, folded: readonly string[]) =>
  anyOf(folded.map((text) => sql<boolean>`${foldOf(text)}(${sql.ref(column)}) = ${text}`))

/** Whether any of a few folded texts stands somewhere in a column, letter case aside. */
export const holdsFolded = (read: Readable, column: string, folded: readonly string[]) => {
  const place = sql.raw(storeOf(read) === 'postgres' ? 'strpos' : 'instr')
  return anyOf(folded.map((text) => sql<boolean>`${place}(${foldOf(text)}(${sql.ref(column)}), ${text}) > 0`))
}

const anyOf = (conditions: readonly ReturnType<typeof sql<boolean>>[]) =>
  conditions.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`(${sql.join(conditions, sql` or `)})`
