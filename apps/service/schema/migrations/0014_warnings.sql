-- Hosts of `webhook_url`s that fail, as endpoints are watched: since when, when an attempt failed last, and whether an alert was raised.
-- A host that works has no row.
create table failing_webhook_hosts (
  tenant_id uuid not null references tenants (id) on delete cascade,
  environment text not null check (environment in ('test', 'live')),
  host text not null,
  failing_since timestamptz,
  last_failed_at timestamptz not null,
  alerted_at timestamptz,
  primary key (tenant_id, environment, host)
);

-- What a creation was warned of; null if of nothing.
alter table verification_sessions add column warnings text[];
alter table verification_sessions alter column warnings set statistics 0;
alter table request_log add column warning text;

-- Whether a query that violates DCQL is refused instead of warned of.
alter table tenants add column strict_queries boolean not null default false;
