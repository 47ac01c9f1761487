-- A tenant has its usage row from the start, so that a creation only has to lock it.
create function insert_tenant_usage() returns trigger language plpgsql as $$
begin
  insert into tenant_usage (tenant_id, day, used, last_created_at) values (new.id, '-infinity', 0, '-infinity');
  return null;
end $$;
create trigger insert_tenant_usage after insert on tenants for each row execute function insert_tenant_usage();
insert into tenant_usage (tenant_id, day, used, last_created_at)
  select id, '-infinity', 0, '-infinity' from tenants
  on conflict do nothing;

-- Creates the sessions that may be created of many requests, of any tenants, in one transaction. Every array but tenant_ids has an
-- element for each request; an array without any value may be null. tenant_ids has each tenant once, in ascending order, and
-- tenant_places has the place of each request's tenant in it. refused marks the requests that the caller will refuse unless
-- they are replays. plans has the daily quota of each plan, and under the empty name that of a plan it does not have.
--
-- created has a line for each session that was created, in the order of the requests: the end of its 201. others has the
-- outcomes of the other requests, with their places from 0:
--   in_flight   another request with its idempotency key is still running
--   replayed    answer is what the first request with this key and body was sent
--   reused      the key belongs to another body
--   refused     it is not a replay
--   day_turned  its id has another day than its created_at would have; the caller builds one for day
--   over_quota  the tenant's daily quota is used up; retry_after has the seconds until the next day
-- Each statement sees what was committed before it began, so this cannot be a single statement: a replay must see what the
-- last holder of its key has just committed.
--
-- create_verifications(jsonb, jsonb) stays for processes of the previous version.
create function create_verifications(
  days date[], ids text[], tenant_ids uuid[], tenant_places integer[], environments text[], device_ids uuid[],
  key_hashes bytea[], key_locks bigint[], body_hashes bytea[], refused boolean[], templates text[], template_versions bytea[],
  queries jsonb[], metadata jsonb[], purposes text[], webhook_urls text[], redirect_urls text[], ttl_seconds integer[],
  certificates bytea[], seeds bytea[], actors text[], actor_names text[], answers text[], plans jsonb,
  out created text, out others jsonb)
  language plpgsql
  -- The plans are kept for the life of a connection, and one made while a day was empty must not scan it when it is full.
  set enable_seqscan = off
  set plan_cache_mode = force_generic_plan
  as $$
declare
  request     integer;
  tenant      integer;
  locks       bigint[] := '{}';
  keyed       integer[] := '{}';
  to_refuse   integer[] := '{}';
  to_create   integer[] := '{}';
  granted     integer[] := '{}';
  known       integer[];
  known_as    jsonb;
  callers     uuid[];
  this_now    timestamptz;
  this_day    date;
  locked_ids  uuid[];
  todays      date[];
  counts      integer[];
  quotas      integer[];
  next_times  timestamptz[];
  day_ended   boolean;
  created_at  timestamptz;
  created_ats timestamptz[];
  expires_ats timestamptz[];
  answer_ends text[];
begin
  others := '[]';
  for request in 1 .. cardinality(ids) loop
    if key_locks[request] is not null then
      -- Of equal keys in one call, the first is tried.
      if key_locks[request] = any (locks) or not pg_try_advisory_xact_lock(key_locks[request]) then
        others := others || jsonb_build_object('place', request - 1, 'outcome', 'in_flight');
        continue;
      end if;
      locks := locks || key_locks[request];
      keyed := keyed || request;
    end if;
    if refused[request] then to_refuse := to_refuse || request; else to_create := to_create || request; end if;
  end loop;

  if cardinality(keyed) > 0 then
    this_now := service_now();
    this_day := (this_now at time zone 'UTC')::date;
    -- A key that is found belongs to an earlier request. Its answer is null if the verification was erased.
    select array_agg(k.request), jsonb_agg(case
      when i.body_hash = body_hashes[k.request] and i.answer is not null
        then jsonb_build_object('place', k.request - 1, 'outcome', 'replayed', 'answer', i.answer)
      else jsonb_build_object('place', k.request - 1, 'outcome', 'reused') end)
    into known, known_as
    from unnest(keyed) as k (request)
    cross join lateral (
      select i.body_hash, i.answer
      from idempotency_keys i
      where i.key_hash = key_hashes[k.request]
        and i.day >= this_day - 1 and i.day <= this_day
        and i.created_at > this_now - interval '24 hours'
      limit 1
    ) i;
    if known is not null then
      others := others || known_as;
      to_refuse := array(select r from unnest(to_refuse) as r where r <> all (known));
      to_create := array(select r from unnest(to_create) with ordinality as c (r, place) where r <> all (known) order by place);
    end if;
  end if;

  foreach request in array to_refuse loop
    others := others || jsonb_build_object('place', request - 1, 'outcome', 'refused');
  end loop;
  if cardinality(to_create) = 0 then return; end if;
  if cardinality(to_create) < cardinality(ids) then
    -- A tenant without a request that may be created is not locked.
    callers := array(select distinct tenant_ids[tenant_places[r]] as id from unnest(to_create) as r order by id);
    foreach request in array to_create loop
      tenant_places[request] := array_position(callers, tenant_ids[tenant_places[request]]);
    end loop;
    tenant_ids := callers;
  end if;

  -- Every call locks the tenants in the same order, so that two calls never wait for each other. The clock is read after the
  -- lock, and created_at always increases for a tenant, whatever the clock does.
  select array_agg(l.tenant_id), array_agg(t.today), array_agg(case when l.day = t.today then l.used else 0 end),
    array_agg(l.quota), array_agg(n.next_time), bool_or(l.day < t.today and l.used > 0)
  into locked_ids, todays, counts, quotas, next_times, day_ended
  from (
    select u.tenant_id, u.day, u.used, u.last_created_at,
      coalesce(tenants.daily_quota, (plans ->> tenants.plan)::integer, (plans ->> '')::integer) as quota
    from tenant_usage u
    join tenants on tenants.id = u.tenant_id
    where u.tenant_id = any (tenant_ids)
    order by u.tenant_id
    for update of u
  ) l
  cross join lateral (select greatest(service_now(), l.last_created_at + interval '1 microsecond') as next_time) n
  cross join lateral (select (n.next_time at time zone 'UTC')::date as today) t;
  if locked_ids is distinct from tenant_ids then
    raise exception 'tenant_ids has an unknown tenant or is not in ascending order';
  end if;

  foreach request in array to_create loop
    tenant := tenant_places[request];
    created_at := next_times[tenant];
    next_times[tenant] := created_at + interval '1 microsecond';
    this_day := (created_at at time zone 'UTC')::date;
    if days[request] <> this_day then
      others := others || jsonb_build_object('place', request - 1, 'outcome', 'day_turned', 'day', this_day);
    elsif counts[tenant] >= quotas[tenant] then
      others := others || jsonb_build_object('place', request - 1, 'outcome', 'over_quota', 'retry_after',
        ceil(extract(epoch from (this_day + 1)::timestamp at time zone 'UTC' - created_at))::integer);
    else
      counts[tenant] := counts[tenant] + 1;
      granted := granted || request;
      created_ats[request] := created_at;
      expires_ats[request] := created_at + ttl_seconds[request] * interval '1 second';
      answer_ends[request] := answer_times(created_at, expires_ats[request]);
    end if;
  end loop;

  if day_ended then
    insert into usage_days (tenant_id, day, used)
    select u.tenant_id, u.day, u.used
    from unnest(tenant_ids, todays) as n (tenant_id, today)
    join tenant_usage u on u.tenant_id = n.tenant_id
    where u.day < n.today and u.used > 0;
  end if;
  update tenant_usage u
  set day = n.today, used = n.used, last_created_at = n.next_time - interval '1 microsecond'
  from unnest(tenant_ids, todays, counts, next_times) as n (tenant_id, today, used, next_time)
  where u.tenant_id = n.tenant_id;
  if cardinality(granted) = 0 then return; end if;

  insert into verification_sessions (
    day, id, tenant_id, environment, device_id, template, template_version, query, metadata, purpose, webhook_url,
    redirect_url, certificate, seed, idempotency_hash, created_at, expires_at)
  select days[r], ids[r], tenant_ids[tenant_places[r]], environments[r], device_ids[r], templates[r], template_versions[r],
    queries[r], metadata[r], purposes[r], webhook_urls[r], redirect_urls[r], certificates[r], seeds[r], key_hashes[r],
    created_ats[r], expires_ats[r]
  from unnest(granted) as r;
  if cardinality(keyed) > 0 then
    insert into idempotency_keys (day, key_hash, body_hash, answer, created_at)
    select days[r], key_hashes[r], body_hashes[r], answers[r] || answer_ends[r], created_ats[r]
    from unnest(granted) as r
    where key_hashes[r] is not null;
  end if;
  insert into audit_inbox (tenant_id, at, action, actor, actor_name, subject, purpose)
  select tenant_ids[tenant_places[r]], created_ats[r], 'verification.created', actors[r], actor_names[r], ids[r], purposes[r]
  from unnest(granted) as r;

  created := array_to_string(answer_ends, e'\n');
end $$;

-- For processes of the previous version, which send their requests as JSON. They do not read created_at and expires_at.
create or replace function create_verifications(requests jsonb, plans jsonb)
  returns table (
    ord integer, outcome text, answer text, created_at timestamptz, expires_at timestamptz, retry_after integer, day date)
  language plpgsql as $$
declare
  callers uuid[];
  result  record;
begin
  callers := array(
    select distinct r.tenant_id from jsonb_populate_recordset(null::creation, requests) r order by r.tenant_id);
  select c.created, c.others into result
  from (
    select array_agg(r.day order by r.ord) as days, array_agg(r.id order by r.ord) as ids,
      array_agg(array_position(callers, r.tenant_id) order by r.ord) as tenant_places,
      array_agg(r.environment order by r.ord) as environments, array_agg(r.device_id order by r.ord) as device_ids,
      array_agg(r.key_hash order by r.ord) as key_hashes, array_agg(r.key_lock order by r.ord) as key_locks,
      array_agg(r.body_hash order by r.ord) as body_hashes, array_agg(r.refused order by r.ord) as refused,
      array_agg(r.template order by r.ord) as templates, array_agg(r.template_version order by r.ord) as template_versions,
      array_agg(r.query order by r.ord) as queries, array_agg(r.metadata order by r.ord) as metadata,
      array_agg(r.purpose order by r.ord) as purposes, array_agg(r.webhook_url order by r.ord) as webhook_urls,
      array_agg(r.redirect_url order by r.ord) as redirect_urls, array_agg(r.ttl_seconds order by r.ord) as ttl_seconds,
      array_agg(r.certificate order by r.ord) as certificates, array_agg(r.seed order by r.ord) as seeds,
      array_agg(r.actor order by r.ord) as actors, array_agg(r.actor_name order by r.ord) as actor_names,
      array_agg(r.answer order by r.ord) as answers
    from jsonb_populate_recordset(null::creation, requests) r
  ) r
  cross join lateral create_verifications(
    r.days, r.ids, callers, r.tenant_places, r.environments, r.device_ids, r.key_hashes, r.key_locks, r.body_hashes,
    r.refused, r.templates, r.template_versions, r.queries, r.metadata, r.purposes, r.webhook_urls, r.redirect_urls,
    r.ttl_seconds, r.certificates, r.seeds, r.actors, r.actor_names, r.answers, plans) c;

  return query
    select o.place, o.outcome, o.answer, null::timestamptz, null::timestamptz, o.retry_after, o.day
    from jsonb_to_recordset(result.others) as o (place integer, outcome text, answer text, retry_after integer, day date);
  return query
    select (p.place - 1)::integer, 'created', c.answer_end, null::timestamptz, null::timestamptz, null::integer, null::date
    from (
      select r.place, row_number() over (order by r.place) as turn
      from generate_series(1, jsonb_array_length(requests)) as r (place)
      where not result.others @> jsonb_build_array(jsonb_build_object('place', r.place - 1))
    ) p
    join string_to_table(result.created, e'\n') with ordinality as c (answer_end, turn) on c.turn = p.turn;
end $$;
