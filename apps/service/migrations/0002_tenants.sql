-- A merchant. `daily_quota` overrides the plan's.
create table tenants (
  id          uuid primary key default gen_random_uuid(),
  name        text not null check (char_length(name) between 1 and 200),
  plan        text not null,
  daily_quota integer check (daily_quota >= 0),
  created_at  timestamptz not null default service_now()
);

-- Only the hash of a key is kept, and what its list shows of it.
create table api_keys (
  tenant_id    uuid not null references tenants,
  id           uuid not null default gen_random_uuid(),
  environment  text not null check (environment in ('test', 'live')),
  name         text not null check (char_length(name) between 1 and 200),
  hash         bytea not null unique check (octet_length(hash) = 32),
  prefix       text not null check (char_length(prefix) = 12),
  scopes       text[] not null check (
    cardinality(scopes) > 0
    and scopes <@ array['verifications:create', 'verifications:read', 'verifications:delete', 'devices:manage']
  ),
  created_at   timestamptz not null default service_now(),
  expires_at   timestamptz,
  revoked_at   timestamptz,
  last_used_at timestamptz,
  primary key (tenant_id, id)
);

-- What deliveries are signed with, sealed by the key ring. A rotated secret keeps signing until `retires_at`.
create table webhook_secrets (
  tenant_id  uuid not null references tenants,
  id         bigint generated always as identity,
  sealed     bytea not null,
  created_at timestamptz not null default service_now(),
  retires_at timestamptz,
  primary key (tenant_id, id)
);

-- Entries of the audit chain, committed with the change they tell of and not yet in their chain. The sequencer takes them out.
create table audit_inbox (
  id         bigint generated always as identity primary key,
  tenant_id  uuid not null,
  at         timestamptz not null default service_now(),
  action     text not null,
  actor      text not null,
  actor_name text,
  subject    text,
  purpose    text,
  detail     jsonb
);
