import { ddl } from './ddl.ts'

/** The highest id that was rejected of a session's or an entitlement's uploaded records, which are not kept themselves. */
export const rejectedRecords = ddl([
  `create table usage_rejections (
    scope_id text primary key,
    tenant_id text not null,
    highest bigint not null
  )`,
])
