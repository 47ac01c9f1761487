-- Links that people open to be verified. The code in a link's address is a secret: its hash finds the link, and the sealed code lets the
-- dashboard show the address again. `created_on` and `created_count`: how many verifications it created, and on which day.
create table verification_links (
  id text primary key,
  tenant_id uuid not null references tenants (id) on delete cascade,
  environment text not null check (environment in ('test', 'live')),
  code_hash bytea not null unique,
  sealed_code bytea not null,
  name text not null,
  template text not null,
  purpose text,
  single_use boolean not null,
  daily_limit integer not null check (daily_limit > 0),
  redirect_url text,
  metadata jsonb,
  mail_results boolean not null,
  active boolean not null,
  expires_at timestamptz,
  used_at timestamptz check (used_at is null or single_use),
  created_on date,
  created_count integer not null default 0,
  created_at timestamptz not null
);
create unique index verification_links_created_at on verification_links (tenant_id, created_at);
create index verification_links_key on verification_links (sealing_key_of(sealed_code));

-- Results of links that are to be mailed. A worker turns them into mails a few minutes later, many into one, and deletes them.
create table link_results (
  id bigint generated always as identity primary key,
  tenant_id uuid not null references tenants (id) on delete cascade,
  environment text not null,
  link_id text not null,
  verification_id text not null,
  status text not null,
  at timestamptz not null
);
create index link_results_tenant_id on link_results (tenant_id, at);
create index link_results_verification_id on link_results (verification_id);

-- The link that created a verification. Another verification of a single-use link ends when it would complete too late.
alter table verification_sessions
  add column link_id text,
  drop constraint verification_sessions_cancelled_by_check,
  add constraint verification_sessions_cancelled_by_check check (cancelled_by in ('merchant', 'device', 'holder', 'link'));
