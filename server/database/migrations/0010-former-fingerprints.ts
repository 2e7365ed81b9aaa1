import { ddl } from './ddl.ts'

/** With which fingerprints a session was activated before, where they have changed; and by which session a device was blocked. */
export const formerFingerprints = ddl([
  'alter table license_sessions add column former_fingerprints text',
  `create index license_sessions_with_former_fingerprints on license_sessions (tenant_id, holder)
where former_fingerprints is not null`,
  'alter table blocked_devices add column session_id text',
])
