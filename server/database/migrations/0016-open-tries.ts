import { ddl } from './ddl.ts'

/** What counts the devices that are trying an offer: how many have tried it before is no matter then, and anyone may try. */
export const openTries = ddl([
  `create index entitlements_by_try on entitlements (tenant_id, source_offer_id, expiration_date_time)
where is_anonymous_try = 1`,
])
