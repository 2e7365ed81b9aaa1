import { ddl } from './ddl.ts'

export const foundation = ddl([
  `create table installation (
    name text primary key,
    value text not null
  )`,
  `create table tenants (
    id text primary key,
    slug text not null unique,
    name text not null,
    kind text not null,
    clock_offset bigint not null default 0,
    created_at bigint not null
  )`,
  `create table tenant_host_names (
    host_name text primary key,
    tenant_id text not null references tenants (id)
  )`,
  `create table clients (
    id text primary key,
    tenant_id text not null references tenants (id),
    name text not null,
    secret_hash text not null,
    previous_secret_hash text,
    previous_secret_until bigint,
    scopes text not null,
    is_deleted integer not null default 0,
    created_at bigint not null,
    updated_at bigint not null,
    revision_number integer not null default 1
  )`,
  'create index clients_by_tenant on clients (tenant_id, created_at)',
  `create table signing_keys (
    id text primary key,
    tenant_id text not null references tenants (id),
    purpose text not null,
    algorithm text not null,
    public_jwk text not null,
    sealed_private_key text not null,
    created_at bigint not null,
    retired_at bigint,
    verifies_until bigint
  )`,
  'create index signing_keys_by_tenant on signing_keys (tenant_id, purpose, created_at)',
  `create table idempotency_records (
    tenant_id text not null references tenants (id),
    caller text not null,
    operation text not null,
    idempotency_key text not null,
    fingerprint text not null,
    sealed_answer text,
    recorded_at bigint not null,
    primary key (tenant_id, caller, operation, idempotency_key)
  )`,
  'create index idempotency_records_by_age on idempotency_records (tenant_id, recorded_at)',
])
