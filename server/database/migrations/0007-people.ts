import { ddl } from './ddl.ts'

const record = `
    id text primary key,
    tenant_id text not null references tenants (id),
    is_deleted integer not null default 0,
    created_at bigint not null,
    updated_at bigint not null,
    updated_by text not null,
    revision_number integer not null default 1`

/** What people say, ask for and are told; and who changed what. */
export const people = ddl([
  `create table feedback_items (
    id text primary key,
    tenant_id text not null references tenants (id),
    kind text not null,
    body text not null,
    product_id text,
    feature_code text,
    user_id text,
    session_id text,
    device_name text,
    reply_to text,
    status text not null,
    reviewed_by text,
    reviewed_at bigint,
    note text,
    duplicate_of_id text,
    created_at bigint not null
  )`,
  'create index feedback_items_by_tenant on feedback_items (tenant_id, created_at)',
  'create index feedback_items_by_user on feedback_items (tenant_id, user_id, created_at)',
  `create table rating_campaigns (${record},
    name text not null,
    description text,
    is_enabled integer not null,
    starts_at bigint,
    ends_at bigint,
    targets text not null
  )`,
  'create index rating_campaigns_by_tenant on rating_campaigns (tenant_id, created_at) where is_deleted = 0',
  `create table ratings (
    id text primary key,
    tenant_id text not null references tenants (id),
    session_id text not null,
    user_id text,
    entitlement_id text not null,
    product_id text not null,
    feature_id text,
    feature_code text,
    rating integer,
    remark text,
    created_at bigint not null
  )`,
  'create index ratings_by_tenant on ratings (tenant_id, created_at)',
  'create index ratings_by_session on ratings (tenant_id, session_id)',
  'create index ratings_by_user on ratings (tenant_id, user_id) where user_id is not null',
  `create table campaign_ratings (
    tenant_id text not null references tenants (id),
    campaign_id text not null references rating_campaigns (id),
    rating_id text not null references ratings (id),
    primary key (campaign_id, rating_id)
  )`,
  'create index campaign_ratings_by_rating on campaign_ratings (rating_id)',
  `create index usage_transactions_of_features on usage_transactions (tenant_id, scope_id, occurred_at)
    where event_name = 'FeatureUsed'`,
  `create table plan_change_requests (
    id text primary key,
    tenant_id text not null references tenants (id),
    entitlement_id text not null,
    user_id text,
    plan_set_id text not null,
    plan_name text not null,
    note text,
    status text not null,
    review_note text,
    reviewed_by text,
    reviewed_at bigint,
    created_at bigint not null
  )`,
  'create index plan_change_requests_by_tenant on plan_change_requests (tenant_id, created_at)',
  'create index plan_change_requests_by_entitlement on plan_change_requests (tenant_id, entitlement_id, created_at)',
  `create table data_subject_requests (
    id text primary key,
    tenant_id text not null references tenants (id),
    user_id text not null,
    kind text not null,
    note text,
    status text not null,
    review_note text,
    reviewed_by text,
    reviewed_at bigint,
    completed_at bigint,
    created_at bigint not null
  )`,
  'create index data_subject_requests_by_tenant on data_subject_requests (tenant_id, created_at)',
  'create index data_subject_requests_by_user on data_subject_requests (tenant_id, user_id, created_at)',
  `create table registrations (
    id text primary key,
    tenant_id text not null references tenants (id),
    folded_email text not null,
    email text not null,
    display_name text,
    activation_code_id text,
    token_hash text not null,
    expires_at bigint not null,
    created_at bigint not null
  )`,
  'create unique index registrations_by_token on registrations (tenant_id, token_hash)',
  'create index registrations_by_email on registrations (tenant_id, folded_email)',
  'create index registrations_by_expiry on registrations (tenant_id, expires_at)',
  `create table registered_offers (
    tenant_id text not null references tenants (id),
    user_id text not null,
    offer_id text not null references entitlements (id),
    issued_at bigint not null,
    primary key (tenant_id, user_id, offer_id)
  )`,
  `create index offers_by_registration on entitlements (tenant_id)
where is_offer = 1 and issue_on_user_registration = 1`,
  `create table audit_entries (
    id text primary key,
    tenant_id text not null references tenants (id),
    occurred_at bigint not null,
    actor text not null,
    operation text not null,
    record_kind text not null,
    record_id text,
    correlation_id text not null,
    before text,
    after text
  )`,
  'create index audit_entries_by_tenant on audit_entries (tenant_id, occurred_at)',
  'create index audit_entries_by_record on audit_entries (tenant_id, record_id, occurred_at)',
])
