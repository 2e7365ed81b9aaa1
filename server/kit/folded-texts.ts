import { type SqlBool, sql } from 'kysely'
import type { Readable } from '../database/database.ts'
import { foldFunction } from './filter/folding.ts'
import { anyOf } from './filter/text-matching.ts'
import { storeOf } from './records/store.ts'

/** The SQL function by which a text is compared with a folded one: the database's own, and its indexes, where that does for it. */
const foldOf = (folded: string) => (/^[!-~]*$/.test(folded) ? 'lower' : foldFunction)

/** Whether a column is one of a few folded texts, letter case aside. Its index is of those that are not null, which is said for that. */
export const isFoldedAmong = (column: string, folded: readonly string[]) => {
  const byFold = [...Map.groupBy(folded, foldOf)]
  const isAny = byFold.map(
    ([fold, texts]) => sql<SqlBool>`${sql.raw(fold)}(${sql.ref(column)}) in (${sql.join(texts)})`,
  )
  return sql<SqlBool>`(${sql.ref(column)} is not null and ${anyOf(isAny)})`
}

/** Whether any of a few folded texts stands somewhere in a column, letter case aside. */
export const holdsFolded = (read: Readable, column: string, folded: readonly string[]) => {
  const place = sql.raw(storeOf(read) === 'postgres' ? 'strpos' : 'instr')
  return anyOf(folded.map((text) => sql<SqlBool>`${place}(${sql.raw(foldOf(text))}(${sql.ref(column)}), ${text}) > 0`))
}
