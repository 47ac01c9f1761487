-- Writes many requests, of any tenants. ages_ms has the time since each ended. Hash and warning of a verification that no longer exists
-- are not written: once the locks are taken, no erasure of these verifications is running, so the lookup sees all that have ended.
create or replace function insert_request_log(
  ages_ms float8[], tenant_ids uuid[], environments text[], request_ids text[], methods text[], routes text[],
  statuses smallint[], error_codes text[], durations_us integer[], idempotencies text[], key_ids uuid[], device_ids uuid[],
  member_ids uuid[], verification_days date[], verification_ids text[], session_hashes bytea[], omissions integer[],
  warnings text[]) returns integer
  language plpgsql
  set enable_seqscan = off
  as $$
declare
  this_now    timestamptz := service_now();
  verification_day date;
  found       text[];
  existing    text[] := '{}';
  written     integer;
begin
  perform pg_advisory_xact_lock_shared(l.key)
  from (select distinct request_log_lock(h) as key from unnest(session_hashes) as h where h is not null order by 1) l;
  -- A day is written into its statement: the plan then knows the one partition. Nearly all requests are about verifications of today.
  for verification_day in select distinct d from unnest(verification_days) as d where d is not null order by d desc limit 16 loop
    execute format('select array_agg(s.id) from verification_sessions s where s.day = %L and s.id = any ($1)', verification_day)
      into found using verification_ids;
    existing := existing || coalesce(found, '{}');
  end loop;
  insert into request_log (
    day, at, tenant_id, environment, request_id, method, route, status, error_code, duration_us, idempotency, key_id, device_id,
    member_id, verification_hash, omitted, warning)
  select (t.at at time zone 'UTC')::date, t.at, r.tenant_id, r.environment, r.request_id, r.method, r.route, r.status,
    r.error_code, r.duration_us, r.idempotency, r.key_id, r.device_id, r.member_id,
    case when r.verification_id = any (existing) then r.verification_hash end, r.omitted,
    case when r.verification_id is null or r.verification_id = any (existing) then r.warning end
  from unnest(
    ages_ms, tenant_ids, environments, request_ids, methods, routes, statuses, error_codes, durations_us, idempotencies,
    key_ids, device_ids, member_ids, verification_ids, session_hashes, omissions, warnings)
    as r (age_ms, tenant_id, environment, request_id, method, route, status, error_code, duration_us, idempotency,
      key_id, device_id, member_id, verification_id, verification_hash, omitted, warning)
  cross join lateral (select this_now - r.age_ms * interval '1 millisecond' as at) t
  where not exists (select from request_log_off o where o.tenant_id = r.tenant_id);
  get diagnostics written = row_count;
  return written;
end $$;
