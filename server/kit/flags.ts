import { sql } from 'kysely'

/**
 * What a flag is compared with. Said as literals: where a partial index says the same of a column, a parameter has SQLite plan
 * the statement anew at each execution, which takes longer than to run it.
 */
export const no = sql.lit(0)
export const yes = sql.lit(1)
