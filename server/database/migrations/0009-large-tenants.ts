import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { ddl } from './ddl.ts'

/**
 * What a tenant with hundreds of thousands of records would wait for: a page of its entitlements, which are wide, in their
 * usual order; one that is found by what other systems call it; what an entitlement has of the catalog; and what is to be
 * forgotten of the answers for replay, of which those that are kept for ever were gone through at each request.
 */
const indexes = ddl([
  'create index idempotency_records_to_forget on idempotency_records (tenant_id, recorded_at) where is_kept = 0',
  'drop index idempotency_records_by_age',
  'create index entitlement_products_by_entitlement on entitlement_products (tenant_id, entitlement_id)',
  'create index entitlement_add_ons_by_entitlement on entitlement_add_ons (tenant_id, entitlement_id)',
  'create index entitlements_by_creation on entitlements (tenant_id, created_at, id) where is_deleted = 0',
  ...['order_id', 'external_reference', 'license_key', 'customer_contact_email'].map(
    (column) =>
      `create index entitlements_by_${column} on entitlements (tenant_id, ${column}) where ${column} is not null`,
  ),
])

/**
 * SQLite, which looks at no table by itself, takes whatever one tenant has for ten rows: it would find a row by its id, and
 * the tenant, by going through all that are in the order of creation. So it is told how many these are.
 */
export const largeTenants: Migration = {
  async up(db: Kysely<unknown>) {
    await indexes.up(db)
    if (db.getExecutor().adapter instanceof PostgresAdapter) return
    await sql`analyze sqlite_schema`.execute(db)
    await sql`insert into sqlite_stat1 (tbl, idx, stat)
values ('entitlements', 'entitlements_by_creation', '1000000 1000000 1 1')`.execute(db)
    await sql`analyze sqlite_schema`.execute(db)
  },
}
