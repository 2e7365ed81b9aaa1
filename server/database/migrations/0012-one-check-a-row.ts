import { type Kysely, PostgresAdapter } from 'kysely'
import type { Migration } from 'kysely/migration'
import { ddl } from './ddl.ts'

/** What refers to a record of the same tenant, and by which column. */
const references = [
  { table: 'tag_assignments', column: 'tag_id', to: 'tags' },
  { table: 'features', column: 'product_id', to: 'products' },
  { table: 'metrics', column: 'product_id', to: 'products' },
]

const checks = ddl([
  ...['tags', 'products'].map(
    (table) => `alter table ${table} add constraint ${table}_of_tenant unique (tenant_id, id)`,
  ),
  ...references.map(
    ({ table, column, to }) => `alter table ${table}
      drop constraint ${table}_tenant_id_fkey,
      drop constraint ${table}_${column}_fkey,
      add constraint ${table}_of_${to} foreign key (tenant_id, ${column}) references ${to} (tenant_id, id)`,
  ),
])

/**
 * PostgreSQL looks each reference of each new row up by itself, which was a third of what writing an import cost it: the two
 * of the catalog's many small rows are one now, and what they refer to is of their own tenant. On SQLite a reference costs
 * next to nothing, and to change one a table would have to be copied.
 */
export const oneCheckARow: Migration = {
  async up(db: Kysely<unknown>) {
    if (db.getExecutor().adapter instanceof PostgresAdapter) await checks.up(db)
  },
}
