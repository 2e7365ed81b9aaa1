import { ddl } from './ddl.ts'

export const catalogBaselines = ddl([
  `create table catalog_baselines (
    tenant_id text primary key references tenants (id),
    import_id text not null references catalog_imports (id),
    revision bigint not null,
    items blob not null
  )`,
])
