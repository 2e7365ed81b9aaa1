import { ddl } from './ddl.ts'

/** Where an address stands as it was typed; that of an activation code has its index. */
const addresses = [
  ['customers', 'email'],
  ['entitlements', 'customer_contact_email'],
  ['feedback_items', 'reply_to'],
  ['license_sessions', 'email'],
]

/**
 * What finds the data of one person among those of hundreds of thousands: by an address, letter case aside, by the user, and
 * by who did it; what clients and the clock did, which is most of the audit log, stands before the sessions and users, and is
 * in no index of theirs. A row without an address is in none either, so that an activation without one writes what it wrote.
 * The last two are for the database itself, which looks for what refers to a user, whoever's it is, before one is removed.
 */
export const findingAPerson = ddl([
  ...addresses.map(
    ([table, column]) =>
      `create index ${table}_by_lower_${column} on ${table} (tenant_id, lower(${column})) where ${column} is not null`,
  ),
  'create index deleted_users_by_email on users (tenant_id, folded_email) where is_deleted = 1',
  'create index plan_change_requests_by_user on plan_change_requests (tenant_id, user_id) where user_id is not null',
  'create index offline_issues_by_session on offline_issues (tenant_id, session_id)',
  "create index audit_entries_by_person on audit_entries (tenant_id, actor) where actor >= 'session:'",
  'create index entitlement_principals_of_user on entitlement_principals (user_id)',
  'create index organization_group_members_of_user on organization_group_members (user_id)',
])
