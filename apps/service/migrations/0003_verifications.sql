-- What a session asks is a version of a template, or a query of its own. Versions never change, so that a session keeps
-- what it was created with while it stores no more than a hash.
create table template_versions (
  hash        bytea primary key,
  body        jsonb not null,
  created_at  timestamptz not null default service_now()
);

create table templates (
  tenant_id   uuid not null references tenants (id),
  key         text not null,
  version     bytea not null references template_versions (hash),
  updated_at  timestamptz not null default service_now(),
  primary key (tenant_id, key)
);

-- Who asks: the chain that wallets are shown and the sealed key that signs for it. A session names its certificate, so an
-- old one serves until its last session has ended.
create table access_certificates (
  hash        bytea primary key,
  tenant_id   uuid references tenants (id),
  chain       text not null,
  sealed_key  bytea not null,
  self_made   boolean not null default false,
  created_at  timestamptz not null default service_now()
);

create table verification_sessions (
  day                date not null,
  id                 text not null,
  tenant_id          uuid not null,
  environment        text not null,
  device_id          uuid,
  status             text not null default 'pending',
  template           text,
  template_version   bytea,
  query              jsonb,
  metadata           jsonb,
  purpose            text,
  webhook_url        text,
  redirect_url       text,
  certificate        bytea not null,
  seed               bytea,
  idempotency_hash   bytea,
  error              jsonb,
  response_code_hash bytea,
  redeemed_at        timestamptz,
  purge_day          date,
  created_at         timestamptz not null,
  expires_at         timestamptz not null,
  responded_at       timestamptz,
  primary key (day, id),
  check (status in ('pending', 'completed', 'failed')),
  check ((status = 'pending') = (responded_at is null))
) partition by range (day);
create index on verification_sessions (tenant_id, environment, created_at desc);
insert into daily_tables (name) values ('verification_sessions');

-- Cut by the day they are purged, which is fixed when they are written: a tenant's retention is a dropped partition.
create table verification_results (
  purge_day   date not null,
  session_id  text not null,
  tenant_id   uuid not null,
  claims      jsonb,
  credentials jsonb not null,
  primary key (purge_day, session_id)
) partition by range (purge_day);

-- The key is kept as a keyed hash that covers tenant, environment and device. The answer is the text that was sent.
create table idempotency_keys (
  day        date not null,
  key_hash   bytea not null,
  body_hash  bytea not null,
  answer     text,
  created_at timestamptz not null,
  primary key (key_hash, day)
) partition by range (day);
insert into daily_tables (name) values ('idempotency_keys');

-- An erasure finds what is not yet in its chain.
create index on audit_inbox (subject) where subject is not null;

-- One row to a tenant, locked by every creation: it counts the day and keeps the last created_at, which is strictly
-- increasing. A day that has turned moves to usage_days.
create table tenant_usage (
  tenant_id       uuid primary key references tenants (id),
  day             date not null,
  used            integer not null check (used >= 0),
  last_created_at timestamptz not null
) with (fillfactor = 30);

create table usage_days (
  tenant_id uuid not null references tenants (id),
  day       date not null,
  used      integer not null check (used > 0),
  primary key (tenant_id, day)
);

create function iso_time(at timestamptz) returns text
  language sql stable parallel safe
  as $$ select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') $$;

-- A request to create, as a process sends it. answer is the 201's text up to its times; day is the day in the id.
create type creation as (
  ord              integer,
  tenant_id        uuid,
  environment      text,
  device_id        uuid,
  day              date,
  id               text,
  key_hash         bytea,
  key_lock         bigint,
  body_hash        bytea,
  template         text,
  template_version bytea,
  query            jsonb,
  metadata         jsonb,
  purpose          text,
  webhook_url      text,
  redirect_url     text,
  ttl_seconds      integer,
  certificate      bytea,
  seed             bytea,
  actor            text,
  actor_name       text,
  answer           text,
  refused          boolean
);

-- Creates what may be created of many requests, of any tenants, in one transaction. plans gives the daily quota of each
-- plan, and under the empty name that of a plan it does not name. Each request gets one outcome:
--   in_flight   its idempotency key is held by a request that is still running
--   replayed    answer is what the first request with this key and body was sent
--   reused      the key belongs to another body
--   refused     the caller had found it wanting; it came along only so that a replay could win over that
--   day_turned  its id carries another day than its created_at would; the caller renders a new one for day
--   over_quota  nothing is left of the tenant's day; retry_after says how long the day lasts
--   created     created_at and expires_at are its times
-- Each statement inside sees what was committed before it began, which is why this is no single statement: a replay must see
-- what the holder of its key has just committed, and the count what the tenant's last batch has.
create function create_verifications(requests jsonb, plans jsonb)
  returns table (
    ord integer, outcome text, answer text, created_at timestamptz, expires_at timestamptz, retry_after integer, day date)
  language plpgsql
  -- The plans are kept for the life of a connection, and one made while a day was empty must not scan it when it is full.
  set enable_seqscan = off
  set plan_cache_mode = force_generic_plan
  as $$
#variable_conflict use_column
declare
  asked     creation[];
  held      integer[];
  found     integer[];
  found_as  text[];
  answers   text[];
  fresh     creation[];
  callers   uuid[];
  this_now  timestamptz;
  this_day  date;
begin
  select array_agg(r order by r.ord) into asked from jsonb_populate_recordset(null::creation, requests) r;

  -- Of equal keys the first is tried. One that is not the first, or that another transaction holds, is in flight.
  with firsts as materialized (
    select distinct on (r.key_hash) r.ord, r.key_lock
    from unnest(asked) r
    where r.key_hash is not null
    order by r.key_hash, r.ord
  ), tried as materialized (
    select t.ord, pg_try_advisory_xact_lock(t.key_lock) as locked from firsts t
  )
  select coalesce(array_agg(t.ord) filter (where t.locked), '{}') into held from tried t;

  return query
    select r.ord, 'in_flight', null::text, null::timestamptz, null::timestamptz, null::integer, null::date
    from unnest(asked) r
    where r.key_hash is not null and r.ord <> all (held);

  -- A key that is found belongs to an earlier request. Its answer is gone when the verification was erased.
  this_now := service_now();
  this_day := (this_now at time zone 'UTC')::date;
  select
    coalesce(array_agg(r.ord), '{}'),
    array_agg(case when i.body_hash = r.body_hash and i.answer is not null then 'replayed' else 'reused' end),
    array_agg(case when i.body_hash = r.body_hash then i.answer end)
  into found, found_as, answers
  from unnest(asked) r
  cross join lateral (
    select k.body_hash, k.answer
    from idempotency_keys k
    where k.key_hash = r.key_hash
      and k.day >= this_day - 1 and k.day <= this_day
      and k.created_at > this_now - interval '24 hours'
    limit 1
  ) i
  where r.ord = any (held);

  return query
    select f.ord, f.said, f.answer, null::timestamptz, null::timestamptz, null::integer, null::date
    from unnest(found, found_as, answers) as f (ord, said, answer);

  return query
    select r.ord, 'refused', null::text, null::timestamptz, null::timestamptz, null::integer, null::date
    from unnest(asked) r
    where r.refused and (r.key_hash is null or r.ord = any (held)) and r.ord <> all (found);

  select array_agg(r order by r.ord), array_agg(distinct r.tenant_id order by r.tenant_id)
  into fresh, callers
  from unnest(asked) r
  where not r.refused and (r.key_hash is null or r.ord = any (held)) and r.ord <> all (found);
  if fresh is null then return; end if;

  -- Every batch takes the tenants in the same order, so that two batches never wait for each other.
  insert into tenant_usage (tenant_id, day, used, last_created_at)
    select c.tenant_id, service_day(), 0, service_now()
    from unnest(callers) as c (tenant_id)
    where not exists (select from tenant_usage u where u.tenant_id = c.tenant_id)
    order by c.tenant_id
    on conflict do nothing;
  perform from tenant_usage u where u.tenant_id = any (callers) order by u.tenant_id for update;

  this_now := service_now();
  return query
    with tenant as materialized (
      -- created_at never stands still and never goes back for a tenant, whatever the clock does.
      select u.tenant_id, u.day, u.used, t.free_from,
        (t.free_from at time zone 'UTC')::date as today,
        coalesce(tenants.daily_quota, (plans ->> tenants.plan)::integer, (plans ->> '')::integer) as quota
      from tenant_usage u
      join tenants on tenants.id = u.tenant_id
      cross join lateral (
        select greatest(this_now, u.last_created_at + interval '1 microsecond') as free_from
      ) t
      where u.tenant_id = any (callers)
    ), timed as materialized (
      select r.ord, r.tenant_id, r.day = (at.time at time zone 'UTC')::date as same_day, at.time
      from (
        select f.ord, f.tenant_id, f.day, row_number() over (partition by f.tenant_id order by f.ord) - 1 as place
        from unnest(fresh) f
      ) r
      join tenant on tenant.tenant_id = r.tenant_id
      cross join lateral (select tenant.free_from + r.place * interval '1 microsecond' as time) at
    ), granted as materialized (
      select n.ord, n.tenant_id, n.time
      from (
        select t.*, row_number() over (partition by t.tenant_id order by t.ord) as place from timed t where t.same_day
      ) n
      join tenant on tenant.tenant_id = n.tenant_id
      where n.place <= tenant.quota - case when tenant.day = tenant.today then tenant.used else 0 end
    ), turned as (
      insert into usage_days (tenant_id, day, used)
      select tenant_id, day, used from tenant where day < today and used > 0
    ), counted as (
      update tenant_usage u
      set day = tenant.today,
          used = case when tenant.day = tenant.today then tenant.used else 0 end + taken.units,
          last_created_at = taken.last
      from tenant
      join (
        select t.tenant_id, count(g.ord)::integer as units, max(t.time) as last
        from timed t left join granted g on g.ord = t.ord
        group by t.tenant_id
      ) taken on taken.tenant_id = tenant.tenant_id
      where u.tenant_id = tenant.tenant_id
    ), sessions as (
      insert into verification_sessions (
        day, id, tenant_id, environment, device_id, template, template_version, query, metadata, purpose, webhook_url,
        redirect_url, certificate, seed, idempotency_hash, created_at, expires_at)
      select r.day, r.id, r.tenant_id, r.environment, r.device_id, r.template, r.template_version, r.query, r.metadata,
        r.purpose, r.webhook_url, r.redirect_url, r.certificate, r.seed, r.key_hash, g.time,
        g.time + r.ttl_seconds * interval '1 second'
      from granted g join unnest(fresh) r on r.ord = g.ord
    ), kept as (
      insert into idempotency_keys (day, key_hash, body_hash, answer, created_at)
      select r.day, r.key_hash, r.body_hash,
        r.answer || '"created_at":"' || iso_time(g.time) || '","expires_at":"'
          || iso_time(g.time + r.ttl_seconds * interval '1 second') || '"}',
        g.time
      from granted g join unnest(fresh) r on r.ord = g.ord
      where r.key_hash is not null
    ), told as (
      insert into audit_inbox (tenant_id, at, action, actor, actor_name, subject, purpose)
      select r.tenant_id, g.time, 'verification.created', r.actor, r.actor_name, r.id, r.purpose
      from granted g join unnest(fresh) r on r.ord = g.ord
    )
    select t.ord,
      case when g.ord is not null then 'created' when t.same_day then 'over_quota' else 'day_turned' end,
      null::text, g.time, g.time + r.ttl_seconds * interval '1 second',
      ceil(extract(epoch from ((t.time at time zone 'UTC')::date + 1)::timestamp at time zone 'UTC' - t.time))::integer,
      (t.time at time zone 'UTC')::date
    from timed t
    join unnest(fresh) r on r.ord = t.ord
    left join granted g on g.ord = t.ord;
end $$;

-- Removes a verification and all that is derived from it. Null counts when there is none to remove. What stays: that the
-- key and body of its request were used (as keyed hashes, for the rest of their day), the day's count, and an audit entry
-- that names nothing.
create function erase_verification(of_tenant uuid, in_environment text, of_day date, of_id text, by_actor text, by_name text)
  returns table (sessions integer, results integer, erased_at timestamptz)
  language plpgsql as $$
declare
  gone        verification_sessions;
  gone_result integer;
begin
  delete from verification_sessions s
  where s.day = of_day and s.id = of_id and s.tenant_id = of_tenant and s.environment = in_environment
  returning s.* into gone;
  if gone.id is null then return; end if;

  delete from verification_results r where r.purge_day = gone.purge_day and r.session_id = of_id;
  get diagnostics gone_result = row_count;
  update idempotency_keys i set answer = null where i.day = of_day and i.key_hash = gone.idempotency_hash;
  update audit_inbox a set purpose = null, actor_name = null, subject = null
  where a.tenant_id = of_tenant and a.subject = of_id;
  insert into audit_inbox (tenant_id, at, action, actor, actor_name)
  values (of_tenant, service_now(), 'verification.erased', by_actor, by_name);
  return query select 1, gone_result, service_now();
end $$;
