-- The requests of keys and devices in the last days, and those of members that failed, as their tenant sees them. A route is a pattern, never a path. A session is kept as a keyed
-- hash, which its erasure removes.
create sequence request_log_ids;
create table request_log (
  day          date not null,
  id           bigint not null default nextval('request_log_ids'),
  at           timestamptz not null,
  tenant_id    uuid not null,
  environment  text not null,
  request_id   text not null,
  method       text not null,
  route        text not null,
  status       smallint not null,
  error_code   text,
  duration_us  integer not null,
  idempotency  text check (idempotency in ('new', 'replayed', 'conflict')),
  key_id       uuid,
  device_id    uuid,
  member_id    uuid,
  session_hash bytea,
  -- Requests of the same tenant and environment that were left out since the last row that its process wrote.
  omitted      integer not null default 0,
  primary key (tenant_id, environment, at, id, day)
) partition by range (day);
create index on request_log (tenant_id, request_id);
create index on request_log (session_hash) where session_hash is not null;
insert into daily_tables (name) values ('request_log');
select make_partitions_ahead();

-- Tenants that want no log.
create table request_log_off (tenant_id uuid primary key references tenants (id));

-- Writing a session's requests and erasing the session exclude each other: writers share one of 64 locks, an erasure holds it alone.
create function request_log_lock(session_hash bytea) returns bigint
  language sql immutable parallel safe
  as $$ select hashtextextended('request_log', get_byte(session_hash, 0) % 64) $$;

-- Writes many requests, of any tenants. ages_ms has the time since each ended. The hash of a session that no longer exists is not
-- written: once the locks are taken, no erasure of these sessions is running, so the lookup sees all that have ended.
create function insert_request_log(
  ages_ms float8[], tenant_ids uuid[], environments text[], request_ids text[], methods text[], routes text[],
  statuses smallint[], error_codes text[], durations_us integer[], idempotencies text[], key_ids uuid[], device_ids uuid[],
  member_ids uuid[], session_days date[], session_ids text[], session_hashes bytea[], omissions integer[]) returns integer
  language plpgsql
  set enable_seqscan = off
  as $$
declare
  this_now    timestamptz := service_now();
  session_day date;
  found       text[];
  existing    text[] := '{}';
  written     integer;
begin
  perform pg_advisory_xact_lock_shared(l.key)
  from (select distinct request_log_lock(h) as key from unnest(session_hashes) as h where h is not null order by 1) l;
  -- A day is written into its statement: the plan then knows the one partition. Nearly all requests are about sessions of today.
  for session_day in select distinct d from unnest(session_days) as d where d is not null order by d desc limit 16 loop
    execute format('select array_agg(s.id) from verification_sessions s where s.day = %L and s.id = any ($1)', session_day)
      into found using session_ids;
    existing := existing || coalesce(found, '{}');
  end loop;
  insert into request_log (
    day, at, tenant_id, environment, request_id, method, route, status, error_code, duration_us, idempotency, key_id, device_id,
    member_id, session_hash, omitted)
  select (t.at at time zone 'UTC')::date, t.at, r.tenant_id, r.environment, r.request_id, r.method, r.route, r.status,
    r.error_code, r.duration_us, r.idempotency, r.key_id, r.device_id, r.member_id,
    case when r.session_id = any (existing) then r.session_hash end, r.omitted
  from unnest(
    ages_ms, tenant_ids, environments, request_ids, methods, routes, statuses, error_codes, durations_us, idempotencies,
    key_ids, device_ids, member_ids, session_ids, session_hashes, omissions)
    as r (age_ms, tenant_id, environment, request_id, method, route, status, error_code, duration_us, idempotency,
      key_id, device_id, member_id, session_id, session_hash, omitted)
  cross join lateral (select this_now - r.age_ms * interval '1 millisecond' as at) t
  where not exists (select from request_log_off o where o.tenant_id = r.tenant_id);
  get diagnostics written = row_count;
  return written;
end $$;

-- Erases a session as the function of six parameters does, and removes the link from its requests. That function stays for processes of
-- the previous version.
create function erase_verification(
  of_tenant uuid, in_environment text, of_day date, of_id text, by_actor text, by_name text, of_hash bytea)
  returns table (sessions integer, results integer, deliveries integer, erased_at timestamptz)
  language plpgsql as $$
begin
  return query
    select e.sessions, e.results, e.deliveries, e.erased_at
    from erase_verification(of_tenant, in_environment, of_day, of_id, by_actor, by_name) e;
  if not found then return; end if;
  perform pg_advisory_xact_lock(request_log_lock(of_hash));
  update request_log l set session_hash = null where l.session_hash = of_hash and l.day >= of_day;
end $$;
