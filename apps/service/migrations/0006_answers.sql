-- A tenant's policies. Claims are kept for so many days (RET-1), or only until the merchant has them (RET-3); the result of
-- a session with a redirect may wait for its code (RET-2); a status that cannot be had fails or warns (TRUST-4).
alter table tenants
  add column retention_days     integer not null default 30 check (retention_days between 1 and 365),
  add column forget_on_delivery boolean not null default false,
  add column hold_back          boolean not null default false,
  add column status_unavailable text not null default 'fail' check (status_unavailable in ('fail', 'warning'));

-- `held`: the result is shown once its code was redeemed. The fetches of the request are counted for the session's timeline.
alter table verification_sessions
  add column held             boolean not null default false,
  add column fetches          integer not null default 0,
  add column first_fetched_at timestamptz;

-- Sessions whose secrets have outlived them: swept within a minute (WREQ-7).
create index on verification_sessions (expires_at) where seed is not null;

-- Results are cut by the day they are purged: those days lie as far ahead as the tenants' retention does.
create or replace function make_partitions_ahead() returns integer
  language sql as $$
    select coalesce(sum(made), 0)::integer from (
      select make_partitions(name, service_day() - 1, service_day() + days_ahead) as made from daily_tables
      union all
      select make_partitions('verification_results', service_day() + days, service_day() + days + 8)
      from (select distinct retention_days as days from tenants union select 30) as retentions
    ) as all_tables
  $$;
