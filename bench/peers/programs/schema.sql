-- The tables of the peers: the columns and indexes of the service's own tables, as a service without partitions has them.
create table tenants (
  id             uuid primary key,
  name           text not null,
  daily_quota    integer not null,
  webhook_secret text not null
);

create table api_keys (
  id          uuid primary key default gen_random_uuid(),
  tenant_id   uuid not null references tenants,
  environment text not null,
  hash        bytea not null unique,
  scopes      text[] not null,
  expires_at  timestamptz,
  revoked_at  timestamptz
);

create table tenant_usage (
  tenant_id uuid not null references tenants,
  day       date not null,
  used      integer not null,
  primary key (tenant_id, day)
);

create table sessions (
  id           text primary key,
  tenant_id    uuid not null references tenants,
  environment  text not null,
  status       text not null default 'pending',
  template     text,
  metadata     jsonb,
  purpose      text,
  webhook_url  text,
  redirect_url text,
  seed         bytea,
  created_at   timestamptz not null default now(),
  expires_at   timestamptz not null,
  responded_at timestamptz
);
create index on sessions (tenant_id, environment, created_at desc);

create table results (
  verification_id  text primary key references sessions,
  tenant_id   uuid not null,
  claims      jsonb,
  credentials jsonb not null
);

create table idempotency_keys (
  tenant_id  uuid not null references tenants,
  key        text not null,
  body_hash  bytea not null,
  answer     text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, key)
);

create table audit_entries (
  id        bigint generated always as identity primary key,
  tenant_id uuid not null,
  at        timestamptz not null default now(),
  action    text not null,
  actor     text not null,
  subject   text,
  purpose   text
);
create index on audit_entries (subject);

create table deliveries (
  verification_id   text not null,
  attempt      integer not null,
  tenant_id    uuid not null,
  environment  text not null,
  attempted_at timestamptz not null,
  outcome      text not null,
  status       smallint,
  duration_ms  integer,
  primary key (verification_id, attempt)
);
create index on deliveries (tenant_id, environment, attempted_at desc);

-- One document for each record of the Credo verifier, with the tags that it searches by.
create table credo_records (
  id   text primary key,
  type text not null,
  body jsonb not null,
  tags jsonb not null
);
create index on credo_records using gin (tags jsonb_path_ops);
