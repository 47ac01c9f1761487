-- Public keys of a tenant that claims are encrypted to. One is active once its owner has answered the challenge, of which only the hash is
-- stored. An environment with an active or a retired key never stores a claim unsealed.
create table sealing_keys (
  tenant_id uuid not null references tenants (id) on delete cascade,
  environment text not null check (environment in ('test', 'live')),
  kid text not null,
  jwk jsonb not null,
  name text,
  state text not null check (state in ('pending', 'active', 'retired')),
  challenge_hash bytea check ((state = 'pending') = (challenge_hash is not null)),
  challenge_expires_at timestamptz check ((challenge_hash is null) = (challenge_expires_at is null)),
  created_at timestamptz not null,
  activated_at timestamptz,
  retired_at timestamptz,
  primary key (tenant_id, environment, kid)
);
