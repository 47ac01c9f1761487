-- People who operate the installation. Those who were removed stay for as long as the installation's log has their names.
create table operators (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 80),
  email text not null check (char_length(email) <= 254),
  role text not null check (role in ('owner', 'support', 'billing', 'auditor')),
  created_at timestamptz not null default service_now(),
  joined_at timestamptz,
  last_seen_at timestamptz,
  removed_at timestamptz,
  -- Of the link with which they sign in for the first time, or again without their passkeys.
  invitation_hash bytea unique,
  invited_until timestamptz
);
create unique index operators_email on operators (email) where removed_at is null;

create table operator_passkeys (
  credential_id text primary key check (char_length(credential_id) <= 1400),
  operator_id uuid not null references operators (id) on delete cascade,
  name text not null check (char_length(name) between 1 and 80),
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  backed_up boolean not null,
  created_at timestamptz not null default service_now(),
  last_used_at timestamptz
);
create index operator_passkeys_operator_id on operator_passkeys (operator_id);

create table operator_sessions (
  token_hash bytea primary key,
  operator_id uuid not null references operators (id) on delete cascade,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  expires_at timestamptz not null,
  confirmed_at timestamptz not null
);
create index operator_sessions_operator_id on operator_sessions (operator_id, created_at);
create index operator_sessions_expires_at on operator_sessions (expires_at);

-- For programs. A token does no more than the operator who made it, and nothing that needs their presence.
create table operator_tokens (
  id uuid primary key default gen_random_uuid(),
  operator_id uuid not null references operators (id) on delete cascade,
  hash bytea not null unique,
  prefix text not null,
  name text not null check (char_length(name) between 1 and 80),
  role text not null check (role in ('owner', 'support', 'billing', 'auditor')),
  created_at timestamptz not null default service_now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index operator_tokens_operator_id on operator_tokens (operator_id, created_at);
create index operator_tokens_expires_at on operator_tokens (expires_at);
