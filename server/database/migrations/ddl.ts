import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * A migration from statements that both databases read. Text is compared and ordered by code point everywhere: on
 * PostgreSQL every text column has the C collation. Bytes are a `blob`, which PostgreSQL calls bytea.
 */
export const ddl = (statements: readonly string[]): Migration => ({
  async up(db: Kysely<unknown>) {
    const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
    for (const statement of statements) await sql.raw(isPostgres ? inPostgres(statement) : statement).execute(db)
  },
})

const inPostgres = (statement: string) =>
  statement.replace(/\btext\b/g, 'text collate "C"').replace(/\bblob\b/g, 'bytea')
