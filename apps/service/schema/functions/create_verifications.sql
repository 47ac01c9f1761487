-- Creates the verifications that may be created of many requests, of any tenants, in one transaction. What is decided on comes in
-- arrays. Every array but tenant_ids has an element for each request. tenant_ids has each tenant once, in ascending order, and
-- tenant_places has the place of each request's tenant in it. refused marks the requests that the caller will refuse unless
-- they are replays. plans is what the previous version gives, and no longer read.
--
-- What is only stored comes as an object for each request in `stored`: columns of verification_sessions, and the actor of the
-- audit entry. responses is null; the previous release gives a line for each request, the 201 without its times, and reads it in a
-- replay. It cannot replay what this release created, and is told that the request still runs.
--
-- Returns a row for each request, with its place from 0 and its outcome:
--   created     with created_at and expires_at
--   in_flight   another request with its idempotency key is still running
--   replayed    created_at and expires_at are those of the first request with this key and body; response is the id of its
--               verification, or the text that the previous release stored
--   reused      the key belongs to another body
--   refused     it is not a replay
--   day_turned  its id has another day than its created_at would have; the caller builds one for day
--   suspended   the tenant may not create any; response has the operator's reason, if there is one
--   not_approved the operator has not approved the environment for the tenant; response has `test` or `live`
--   over_quota  the tenant's daily quota is used up; retry_after has the seconds until the next day
--   link_closed its link creates nothing: it has ended, or has created as many as it may today
-- Each statement sees what was committed before it began, so this cannot be a single statement: a replay must see what the
-- last holder of its key has just committed.
create or replace function create_verifications(
  days date[], ttl_seconds integer[], tenant_ids uuid[], tenant_places integer[], key_hashes bytea[], key_locks bigint[],
  body_hashes bytea[], refused boolean[], stored jsonb, responses text, plans jsonb default null)
  returns table (
    place integer, outcome text, created_at timestamptz, expires_at timestamptz, response text, day date, retry_after integer)
  language plpgsql
  -- The plans are kept for the life of a connection, and one made while a day was empty must not scan it when it is full.
  set enable_seqscan = off
  set plan_cache_mode = force_generic_plan
  as $$
declare
  request      integer;
  tenant       integer;
  locks        bigint[] := '{}';
  keyed        integer[] := '{}';
  known        integer[] := '{}';
  to_create    integer[] := '{}';
  granted      integer[] := '{}';
  callers      uuid[];
  this_now     timestamptz;
  this_day     date;
  locked_ids   uuid[];
  todays       date[];
  counts       integer[];
  quotas       integer[];
  states       text[];
  reasons      text[];
  approvals    text[];
  next_times   timestamptz[];
  day_ended    boolean;
  verification      verification_sessions;
  verifications     verification_sessions[] := '{}';
  response_lines text[];
begin
  for request in 1 .. cardinality(days) loop
    if key_locks[request] is not null then
      -- Of equal keys in one call, the first is tried.
      if key_locks[request] = any (locks) or not pg_try_advisory_xact_lock(key_locks[request]) then
        place := request - 1;
        outcome := 'in_flight';
        return next;
        continue;
      end if;
      locks := locks || key_locks[request];
      keyed := keyed || request;
    end if;
    to_create := to_create || request;
  end loop;

  if cardinality(keyed) > 0 then
    this_now := service_now();
    this_day := (this_now at time zone 'UTC')::date;
    -- A key that is found belongs to an earlier request. It names no verification if that was erased.
    for request, outcome, response, created_at, expires_at in
      select k.request,
        case
          when i.body_hash <> body_hashes[k.request] or coalesce(i.response, i.verification_id) is null then 'reused'
          when responses is not null and i.response is null then 'in_flight'
          else 'replayed'
        end,
        coalesce(i.response, i.verification_id), i.created_at, i.expires_at
      from unnest(keyed) as k (request)
      cross join lateral (
        select i.body_hash, i.response, i.verification_id, i.created_at, i.expires_at
        from idempotency_keys i
        where i.key_hash = key_hashes[k.request]
          and i.day >= this_day - 1 and i.day <= this_day
          and i.created_at > this_now - interval '24 hours'
        limit 1
      ) i
    loop
      place := request - 1;
      return next;
      response := null;
      created_at := null;
      expires_at := null;
      known := known || request;
    end loop;
  end if;
  if true = any (refused) then
    outcome := 'refused';
    foreach request in array to_create loop
      if refused[request] and request <> all (known) then
        place := request - 1;
        return next;
        known := known || request;
      end if;
    end loop;
  end if;
  if cardinality(known) > 0 then
    to_create := array(select r from unnest(to_create) with ordinality as c (r, place) where r <> all (known) order by c.place);
  end if;
  if cardinality(to_create) = 0 then return; end if;
  if cardinality(to_create) < cardinality(days) then
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
    array_agg(n.next_time), bool_or(l.day < t.today and l.used > 0)
  into locked_ids, todays, counts, next_times, day_ended
  from (
    select u.tenant_id, u.day, u.used, u.last_created_at
    from tenant_usage u
    where u.tenant_id = any (tenant_ids)
    order by u.tenant_id
    for update
  ) l
  cross join lateral (select greatest(service_now(), l.last_created_at + interval '1 microsecond') as next_time) n
  cross join lateral (select (n.next_time at time zone 'UTC')::date as today) t;
  if locked_ids is distinct from tenant_ids then
    raise exception 'tenant_ids has an unknown tenant or is not in ascending order';
  end if;
  -- A statement of its own, because the one that waited for the locks does not see what was changed meanwhile.
  select array_agg(coalesce(t.daily_quota, p.daily_quota) order by t.id), array_agg(t.state order by t.id),
    array_agg(t.state_reason order by t.id), array_agg(t.approval order by t.id)
  into quotas, states, reasons, approvals
  from tenants t
  join plans p on p.name = t.plan
  where t.id = any (tenant_ids);

  -- Whole rows are inserted, so that a new column changes nothing here. The defaults of the table do not apply to them.
  verification.status := 'pending';
  verification.held := false;
  verification.fetches := 0;
  foreach request in array to_create loop
    tenant := tenant_places[request];
    place := request - 1;
    if states[tenant] <> 'active' then
      outcome := 'suspended';
      response := reasons[tenant];
      return next;
      response := null;
      continue;
    end if;
    if approvals[tenant] = 'waiting' or (approvals[tenant] <> 'approved' and stored -> place ->> 'environment' = 'live') then
      outcome := 'not_approved';
      response := case approvals[tenant] when 'waiting' then 'test' else 'live' end;
      return next;
      response := null;
      continue;
    end if;
    created_at := next_times[tenant];
    next_times[tenant] := created_at + interval '1 microsecond';
    day := (created_at at time zone 'UTC')::date;
    if days[request] <> day then
      outcome := 'day_turned';
    elsif counts[tenant] >= quotas[tenant] then
      outcome := 'over_quota';
      retry_after := ceil(extract(epoch from (day + 1)::timestamp at time zone 'UTC' - created_at));
    elsif stored -> place ? 'link_id' and not count_link_visit(stored -> place ->> 'link_id', day) then
      outcome := 'link_closed';
    else
      outcome := 'created';
      expires_at := created_at + ttl_seconds[request] * interval '1 second';
      counts[tenant] := counts[tenant] + 1;
      granted := granted || request;
      verification.day := day;
      verification.tenant_id := tenant_ids[tenant];
      verification.idempotency_hash := key_hashes[request];
      verification.created_at := created_at;
      verification.expires_at := expires_at;
      verifications := verifications || jsonb_populate_record(verification, stored -> place);
    end if;
    return next;
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

  insert into verification_sessions select s.* from unnest(verifications) as s;
  if cardinality(keyed) > 0 then
    response_lines := string_to_array(responses, e'\n');
    insert into idempotency_keys (day, key_hash, body_hash, response, created_at, expires_at, verification_id)
    select s.day, s.idempotency_hash, body_hashes[s.request], response_lines[s.request], s.created_at, s.expires_at, s.id
    from rows from (unnest(granted), unnest(verifications)) as s (request)
    where s.idempotency_hash is not null;
  end if;
  insert into audit_inbox (tenant_id, at, action, actor, actor_name, subject, purpose)
  select s.tenant_id, s.created_at, 'verification.created', a.actor ->> 'actor', a.actor ->> 'actor_name', s.id, s.purpose
  from rows from (unnest(granted), unnest(verifications)) as s (request)
  cross join lateral (select stored -> (s.request - 1) as actor) a;
end $$;
