import { ddl } from './ddl.ts'

/**
 * A plan-change request that awaits its review is Pending, as such requests are called elsewhere; it was Requested, and is
 * still by a process of the version before.
 */
export const pendingPlanChanges = ddl([
  'drop index plan_change_requests_open',
  "update plan_change_requests set status = 'Pending' where status = 'Requested'",
  "create unique index plan_change_requests_open on plan_change_requests (tenant_id, entitlement_id) where status in ('Pending', 'Requested')",
])
