-- A key that was rolled names the key that replaces it. Both work until the old one expires.
alter table api_keys add column replaced_by uuid;

-- A device with a new pairing code: access tokens that were issued up to this second are refused, also once it is paired again.
alter table devices add column tokens_after timestamptz;

-- Figures of verifications. A session has one outcome. `declined` is a failure that its holder chose.
create function outcome_of(shown_status text, error_code text) returns text
  language sql immutable parallel safe
  as $$ select case when shown_status = 'failed' and error_code = 'holder_declined' then 'declined' else shown_status end $$;

-- Times to answer are counted in buckets whose limits grow by a quarter: bucket n ends at 0.25 * 1.25^n seconds. 0: no answer.
create function response_bucket(seconds double precision) returns smallint
  language sql immutable parallel safe
  as $$
    select case
      when seconds is null then 0
      else least(greatest(ceil(ln(greatest(seconds, 0.001) / 0.25) / ln(1.25)), 1), 44)
    end::smallint $$;

-- What the figures count of each session, as anyone is shown it. An empty template is a query of the session's own, and the
-- zero device is none.
create view session_outcomes as
  select s.day, s.tenant_id, s.environment, s.created_at, coalesce(s.template, '') as template,
    coalesce(s.device_id, '00000000-0000-0000-0000-000000000000') as device_id,
    outcome_of(shown.status, s.error ->> 'code') as outcome,
    case when shown.status = 'failed' then coalesce(s.error ->> 'code', '') else '' end as error_code,
    s.first_fetched_at is not null or shown.status in ('completed', 'failed') as opened,
    response_bucket(case when shown.status in ('completed', 'failed')
      then extract(epoch from s.responded_at - s.created_at)::double precision end) as response_bucket
  from verification_sessions s
  cross join lateral (
    select shown_status(s.status, s.held and s.redeemed_at is null, s.expires_at, s.responded_at) as status
  ) shown;

-- The figures of past days, counted once all their sessions have ended. A day has four sets of rows: all sessions, by template,
-- by device, and by both. They name no session and no person, so an erasure leaves them as they are.
create table outcome_counts (
  tenant_id       uuid not null,
  environment     text not null,
  by_template     boolean not null,
  by_device       boolean not null,
  template        text not null,
  device_id       uuid not null,
  day             date not null,
  outcome         text not null,
  error_code      text not null,
  opened          boolean not null,
  response_bucket smallint not null,
  sessions        integer not null check (sessions > 0),
  primary key (tenant_id, environment, by_template, by_device, template, device_id, day, outcome, error_code, opened,
    response_bucket)
);
create index outcome_counts_day on outcome_counts (day);

-- Sessions that were erased before their day was counted. The figures add them to the sessions that are left.
create table erased_outcomes (
  tenant_id       uuid not null,
  environment     text not null,
  day             date not null,
  template        text not null,
  device_id       uuid not null,
  outcome         text not null,
  error_code      text not null,
  opened          boolean not null,
  response_bucket smallint not null,
  sessions        integer not null check (sessions > 0),
  primary key (tenant_id, environment, day, template, device_id, outcome, error_code, opened, response_bucket)
);
create index erased_outcomes_day on erased_outcomes (day);

-- The last day that is counted for every tenant.
create table outcome_progress (
  one     boolean primary key default true check (one),
  through date not null
);
insert into outcome_progress (through) values (service_day() - 92);

-- A tenant's days with sessions are found by day too.
create index usage_days_day on usage_days (day);

-- Dropping a partition fires no trigger: retention does not touch figures. An open session that is erased is never answered.
create function count_erased_outcome() returns trigger language plpgsql as $$
declare
  shown      text := shown_status(old.status, old.held and old.redeemed_at is null, old.expires_at, old.responded_at);
  error_code text := coalesce(old.error ->> 'code', '');
begin
  if old.day <= (select through from outcome_progress) then return null; end if;
  insert into erased_outcomes as counted (
    tenant_id, environment, day, template, device_id, outcome, error_code, opened, response_bucket, sessions)
  values (
    old.tenant_id, old.environment, old.day, coalesce(old.template, ''),
    coalesce(old.device_id, '00000000-0000-0000-0000-000000000000'),
    case when shown = 'pending' then 'expired' else outcome_of(shown, error_code) end,
    case when shown = 'failed' then error_code else '' end,
    old.first_fetched_at is not null or shown in ('completed', 'failed'),
    response_bucket(case when shown in ('completed', 'failed')
      then extract(epoch from old.responded_at - old.created_at)::double precision end),
    1)
  on conflict on constraint erased_outcomes_pkey do update set sessions = counted.sessions + 1;
  return null;
end $$;
create trigger count_erased_outcome after delete on verification_sessions
  for each row execute function count_erased_outcome();

-- Deletes some of a tenant's sessions of a day, with everything that is derived from them. Returns how many. A delivery in
-- progress is waited for: it records its attempt first. Each statement sees what was committed before it began, so an answer
-- that the deletion of its session waited for has its result by then.
create function delete_tenant_sessions(of_tenant uuid, of_day date, max_sessions integer) returns integer
  language plpgsql as $$
declare
  ids        text[];
  purge_days date[];
  key_hashes bytea[];
begin
  ids := array(
    select s.id from verification_sessions s where s.day = of_day and s.tenant_id = of_tenant order by s.id limit max_sessions);
  perform pg_advisory_xact_lock(webhook_hold_key(candidate.id)) from unnest(ids) as candidate (id);

  with gone as (
    delete from verification_sessions s where s.day = of_day and s.id = any (ids) and s.tenant_id = of_tenant
    returning s.id, s.purge_day, s.idempotency_hash
  )
  select array_agg(gone.id), array_agg(gone.purge_day), array_agg(gone.idempotency_hash)
  into ids, purge_days, key_hashes
  from gone;
  delete from webhook_events e where e.session_id = any (ids);
  delete from webhook_deliveries d where d.session_day = of_day and d.session_id = any (ids);
  delete from verification_results r
  using unnest(ids, purge_days) as gone (id, purge_day)
  where r.purge_day = gone.purge_day and r.session_id = gone.id;
  update idempotency_keys k set answer = null where k.day = of_day and k.key_hash = any (key_hashes);
  return coalesce(cardinality(ids), 0);
end $$;

-- Deletes up to so many of a tenant's rows in each table that has the column tenant_id, whichever slice owns it: a new table
-- needs no change here. Sessions come with what is derived from them, in the function above, and the audit log has its own
-- rules. Returns how many rows were deleted; zero when none is left.
create function delete_tenant_rows(of_tenant uuid, max_rows integer) returns bigint
  language plpgsql as $$
declare
  target  regclass;
  deleted bigint;
  total   bigint := 0;
  blocked text := '';
begin
  -- A certificate that another tenant uses as well belongs to that tenant from now on.
  update access_certificates c set tenant_id = i.tenant_id
  from tenant_identities i
  where c.tenant_id = of_tenant and i.certificate = c.hash and i.tenant_id <> of_tenant;

  for target in
    select c.oid::regclass
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
      and c.relname not like 'audit\_%' and c.relname not like 'verification\_sessions\_%'
    order by c.relname
  loop
    begin
      execute format('delete from %s where ctid = any (array(select ctid from %s where tenant_id = $1 limit $2))', target, target)
        using of_tenant, max_rows;
      get diagnostics deleted = row_count;
      total := total + deleted;
    exception when foreign_key_violation then
      -- Rows of a later table refer to these: the next call deletes them.
      blocked := target::text;
    end;
  end loop;
  if total = 0 and blocked <> '' then
    raise exception 'rows of % are still referred to', blocked;
  end if;
  return total;
end $$;
