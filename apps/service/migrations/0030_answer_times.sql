-- The end of a 201, after what the process has written: the only place that says how its times are spelt.
create function answer_times(created_at timestamptz, expires_at timestamptz) returns text
  language sql stable parallel safe
  as $$ select '"created_at":"' || iso_time(created_at) || '","expires_at":"' || iso_time(expires_at) || '"}' $$;

-- As before, except that a created session comes back with the end of its 201 in `answer`. A process of the previous version
-- ignores it and uses created_at and expires_at.
create or replace function create_verifications(requests jsonb, plans jsonb)
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
      select n.ord, n.tenant_id, n.time, e.expires_at, answer_times(n.time, e.expires_at) as answer_end
      from (
        select t.*, row_number() over (partition by t.tenant_id order by t.ord) as place from timed t where t.same_day
      ) n
      join unnest(fresh) r on r.ord = n.ord
      cross join lateral (select n.time + r.ttl_seconds * interval '1 second' as expires_at) e
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
        r.purpose, r.webhook_url, r.redirect_url, r.certificate, r.seed, r.key_hash, g.time, g.expires_at
      from granted g join unnest(fresh) r on r.ord = g.ord
    ), kept as (
      insert into idempotency_keys (day, key_hash, body_hash, answer, created_at)
      select r.day, r.key_hash, r.body_hash, r.answer || g.answer_end, g.time
      from granted g join unnest(fresh) r on r.ord = g.ord
      where r.key_hash is not null
    ), told as (
      insert into audit_inbox (tenant_id, at, action, actor, actor_name, subject, purpose)
      select r.tenant_id, g.time, 'verification.created', r.actor, r.actor_name, r.id, r.purpose
      from granted g join unnest(fresh) r on r.ord = g.ord
    )
    select t.ord,
      case when g.ord is not null then 'created' when t.same_day then 'over_quota' else 'day_turned' end,
      g.answer_end, g.time, g.expires_at,
      ceil(extract(epoch from ((t.time at time zone 'UTC')::date + 1)::timestamp at time zone 'UTC' - t.time))::integer,
      (t.time at time zone 'UTC')::date
    from timed t
    left join granted g on g.ord = t.ord;
end $$;
