import { gzipSync } from 'node:zlib'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { ddl } from './ddl.ts'

interface Import {
  id: string
  report_text: string
  before_text: string
}

const asideAndNew = ddl([
  'alter table catalog_imports rename column report to report_text',
  'alter table catalog_imports rename column before_snapshot to before_text',
  "alter table catalog_imports add column report blob not null default ''",
  "alter table catalog_imports add column before_snapshot blob not null default ''",
])
const done = ddl([
  'alter table catalog_imports drop column report_text',
  'alter table catalog_imports drop column before_text',
])

/**
 * What the history keeps of an import was JSON as it is: millions of characters for a large catalog, which are a ninth
 * compressed. They stand between the import and its commit, and on SQLite all other writes wait for that.
 */
export const compressedHistory: Migration = {
  async up(db: Kysely<unknown>) {
    await asideAndNew.up(db)
    const { rows: imports } = await sql<{ id: string }>`select id from catalog_imports`.execute(db)
    // One at a time: together they may be larger than the memory.
    for (const { id } of imports) {
      const { rows } = await sql<Import>`select report_text, before_text from catalog_imports where id = ${id}`.execute(
        db,
      )
      const { report_text, before_text } = rows[0]!
      const set = sql`report = ${gzipSync(report_text)}, before_snapshot = ${gzipSync(before_text)}`
      await sql`update catalog_imports set ${set} where id = ${id}`.execute(db)
    }
    await done.up(db)
  },
}
