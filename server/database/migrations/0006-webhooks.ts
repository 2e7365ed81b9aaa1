import { ddl } from './ddl.ts'

const record = `
    id text primary key,
    tenant_id text not null references tenants (id),
    is_deleted integer not null default 0,
    created_at bigint not null,
    updated_at bigint not null,
    updated_by text not null,
    revision_number integer not null default 1`

/** Events of before there were subscriptions are told to nobody. */
export const webhooks = ddl([
  `create table undispatched_events (
    event_id text primary key,
    tenant_id text not null
  )`,
  'create index events_by_time on events (tenant_id, occurred_at)',
  `create table webhook_subscriptions (${record},
    name text not null,
    url text not null,
    event_types text not null,
    filter text not null,
    callback_scopes text not null,
    signature_profile text not null,
    origin text not null,
    status text not null,
    verified_at bigint,
    sealed_secrets text not null
  )`,
  'create index webhook_subscriptions_by_tenant on webhook_subscriptions (tenant_id, created_at) where is_deleted = 0',
  `create table webhook_standings (
    subscription_id text primary key references webhook_subscriptions (id),
    tenant_id text not null,
    last_delivery_at bigint,
    consecutive_failures integer not null default 0,
    dead_letters_in_row integer not null default 0
  )`,
  `create table webhook_deliveries (
    id text primary key,
    tenant_id text not null,
    subscription_id text not null references webhook_subscriptions (id),
    event_id text not null,
    event_type text not null,
    status text not null,
    attempts integer not null default 0,
    budget_started_at bigint,
    next_attempt_at bigint,
    created_at bigint not null,
    ended_at bigint
  )`,
  `create index webhook_deliveries_waiting on webhook_deliveries (subscription_id, next_attempt_at)
where status = 'Pending'`,
  `create index webhook_deliveries_by_end on webhook_deliveries (tenant_id, status, ended_at)
where ended_at is not null`,
  'create index webhook_deliveries_by_tenant on webhook_deliveries (tenant_id, created_at, event_id)',
  `create table webhook_attempts (
    delivery_id text not null,
    id text not null,
    tenant_id text not null,
    attempt integer not null,
    attempted_at bigint not null,
    latency_millis integer not null,
    status integer,
    error text,
    response_excerpt text,
    primary key (delivery_id, id)
  )`,
  `create table webhook_leases (
    subscription_id text primary key references webhook_subscriptions (id),
    tenant_id text not null,
    leased_by text,
    leased_until bigint not null default 0
  )`,
])
