-- Who administers a tenant. There are no passwords: a member comes in with a passkey or through the operator's provider.
create table members (
  tenant_id    uuid not null references tenants (id),
  id           uuid not null unique,
  email        text not null check (char_length(email) <= 254),
  name         text not null check (char_length(name) between 1 and 80),
  role         text not null check (role in ('owner', 'admin', 'developer', 'support', 'auditor')),
  oidc_issuer  text,
  oidc_subject text,
  created_at   timestamptz not null default service_now(),
  last_seen_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, email),
  unique (oidc_issuer, oidc_subject),
  check ((oidc_issuer is null) = (oidc_subject is null))
);

create table member_passkeys (
  credential_id text primary key check (char_length(credential_id) <= 1400),
  tenant_id     uuid not null,
  member_id     uuid not null,
  name          text not null check (char_length(name) between 1 and 80),
  public_key    bytea not null,
  counter       bigint not null,
  transports    text[] not null,
  backed_up     boolean not null,
  created_at    timestamptz not null default service_now(),
  last_used_at  timestamptz,
  foreign key (tenant_id, member_id) references members (tenant_id, id) on delete cascade
);
create index on member_passkeys (tenant_id, member_id);

-- A link that lets one person in, once. Its row goes when it is used or withdrawn. member_id is the member who is there
-- already, or whom it will make.
create table member_invitations (
  tenant_id  uuid not null references tenants (id),
  id         uuid not null unique,
  token_hash bytea not null unique,
  member_id  uuid not null,
  email      text not null,
  role       text not null check (role in ('owner', 'admin', 'developer', 'support', 'auditor')),
  invited_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, email)
);

-- Only the hash of what the cookie holds is kept. A session ends at expires_at, or once it was idle for too long, whichever
-- comes first; its row may stay a while longer.
create table member_sessions (
  token_hash bytea primary key,
  tenant_id  uuid not null,
  member_id  uuid not null,
  created_at timestamptz not null,
  seen_at    timestamptz not null,
  expires_at timestamptz not null,
  foreign key (tenant_id, member_id) references members (tenant_id, id) on delete cascade
);
create index on member_sessions (tenant_id, member_id, created_at);
create index on member_sessions (expires_at);

-- A challenge to a passkey is not stored when it is given, only when it was answered: so that it works once.
create table spent_challenges (
  hash       bytea primary key,
  expires_at timestamptz not null
);
create index on spent_challenges (expires_at);

-- Failed sign-ins, by the address they came from.
create table sign_in_room (
  address    text primary key,
  room       double precision not null check (room >= 0),
  updated_at timestamptz not null
);
create index on sign_in_room (updated_at);

-- What a holder sees of who asks.
alter table tenants add column brand jsonb not null default '{}';
