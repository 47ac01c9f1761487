-- A till or a tablet. Its tokens are not stored: a token is the device, its place in a row of tokens, and a MAC. Of its refresh
-- tokens the one of the current generation is unspent, and every earlier one is spent.
create table devices (
  tenant_id          uuid not null references tenants,
  id                 uuid not null unique,
  environment        text not null check (environment in ('test', 'live')),
  name               text not null check (char_length(name) between 1 and 64),
  status             text not null default 'pending' check (status in ('pending', 'active', 'revoked')),
  allowed_templates  text[] not null check (cardinality(allowed_templates) between 1 and 20),
  pairing_hash       bytea not null unique check (octet_length(pairing_hash) = 32),
  pairing_expires_at timestamptz not null,
  generation         integer not null default 0 check (generation >= 0),
  created_at         timestamptz not null,
  enrolled_at        timestamptz,
  last_seen_at       timestamptz,
  revoked_at         timestamptz,
  primary key (tenant_id, id),
  check ((status = 'revoked') = (revoked_at is not null))
);
create index on devices (tenant_id, environment, created_at desc);

-- Pairing codes that were never issued, by the address that tried them: fifty at once, and ten an hour after that (ENROLL-5).
create table pairing_guesses (
  address    text primary key,
  room       double precision not null check (room >= 0),
  updated_at timestamptz not null
);
create index on pairing_guesses (updated_at);
