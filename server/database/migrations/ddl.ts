import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * A migration from statements that both databases read. Text is compared and ordered by code point everywhere: on
 * PostgreSQL every text column has the C collation.
 */
export const ddl = (statements: readonly string[]): Migration => ({
  async up(db: Kysely<unknown>) {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    for (const statement of statements)
      await sql.raw(isPostgres ? statement.replace(/\btext\b/g, 'text collate "C"') : statement).execute(db)
  },
})
