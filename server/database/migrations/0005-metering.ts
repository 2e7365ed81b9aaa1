import { ddl } from './ddl.ts'

/** Amounts are decimals written out exactly, as text. */
export const metering = ddl([
  `create table meter_states (
    meter_id text primary key references meters (id),
    tenant_id text not null,
    entitlement_id text not null,
    is_closed integer not null default 0,
    definition_revision integer not null default 1,
    usage text not null default '0',
    period_start bigint,
    tier_marks text not null default '{}',
    holds text not null default '[]',
    level text,
    suspended_until bigint,
    total_credits text,
    credits_used text not null default '0',
    cumulative_credits_used text not null default '0',
    unfunded_credits text not null default '0',
    initial_credits_given text not null default '0',
    last_unfunded_at bigint,
    last_deposit_at bigint,
    last_auto_balance_at bigint,
    due_at bigint
  )`,
  'create index meter_states_by_entitlement on meter_states (entitlement_id) where is_closed = 0',
  'create index meter_states_by_due on meter_states (tenant_id, due_at) where due_at is not null',
  `insert into meter_states (meter_id, tenant_id, entitlement_id, is_closed, definition_revision)
select id, tenant_id, entitlement_id, is_deleted, revision_number from meters`,
  `create table usage_periods (
    meter_id text not null references meters (id),
    period_start bigint not null,
    tenant_id text not null,
    usage text not null,
    tier_marks text not null,
    primary key (meter_id, period_start)
  )`,
  `create table usage_decisions (
    lookup text primary key,
    tenant_id text not null,
    asked text not null,
    answer text not null
  )`,
  `create table usage_holds (
    id text primary key,
    tenant_id text not null,
    entitlement_id text not null,
    session_id text not null,
    meter_id text not null references meters (id),
    amount text not null,
    expires_at bigint not null,
    status text not null,
    settled_amount text,
    answer text
  )`,
  `create table balance_entries (
    id text primary key,
    tenant_id text not null,
    entitlement_id text not null,
    meter_id text not null references meters (id),
    kind text not null,
    amount text not null,
    balance_after text not null,
    occurred_at bigint not null,
    reference text,
    actor text not null,
    correlation_id text not null
  )`,
  'create index balance_entries_by_meter on balance_entries (tenant_id, meter_id, id)',
  `create table usage_transactions (
    scope_id text not null,
    transaction_id bigint not null,
    tenant_id text not null,
    entitlement_id text not null,
    session_id text,
    api_version integer,
    created_at bigint,
    event_name text not null,
    event_data text not null,
    occurred_at bigint,
    meter_id text,
    amount text,
    received_at bigint not null,
    primary key (scope_id, transaction_id)
  )`,
  'create index usage_transactions_by_event on usage_transactions (tenant_id, entitlement_id, event_name, occurred_at)',
  `create table credit_grants (
    id text primary key,
    tenant_id text not null references tenants (id),
    entitlement_id text not null references entitlements (id),
    metric_name text not null,
    amount text not null,
    lookup_key text not null,
    expires_at bigint,
    created_at bigint not null,
    created_by text not null,
    redeemed_at bigint,
    redeemed_by text
  )`,
  'create unique index credit_grants_by_code on credit_grants (tenant_id, lookup_key)',
  'create index credit_grants_by_entitlement on credit_grants (tenant_id, entitlement_id, id)',
])
