-- Destroys the secrets of up to `max_verifications` verifications that expired without a response, and queues their events. A secret is destroyed
-- once, so there is one event for each endpoint. `expired` counts the verifications, `queued` the events. The first day is read once: the
-- planner then knows the few partitions that can have such verifications. A condition that calls service_day() is evaluated for every row,
-- and every partition would be planned, locked and searched.
create or replace function expire_verifications(max_verifications integer) returns table (expired integer, queued integer)
  language plpgsql
  -- A kept plan for any first day would have every partition.
  set plan_cache_mode = force_custom_plan
  as $$
#variable_conflict use_column
declare
  swept_at  constant timestamptz := service_now();
  first_day constant date := service_day() - 2;
begin
  return query
    with expired as (
      update verification_sessions s set seed = null, expected = null
      where s.day >= first_day and (s.day, s.id) in (
        select day, id from verification_sessions
        where seed is not null and expires_at <= swept_at and day >= first_day
        limit max_verifications
        for update skip locked)
      returning s.day, s.id, s.tenant_id, s.environment
    ), queued as (
      insert into webhook_events
        (verification_id, endpoint_id, verification_day, tenant_id, environment, url, host, forget_on_delivery, attempt, event_type)
      select s.id, e.id, s.day, s.tenant_id, s.environment, e.url, e.host, false, 0, 'verification.expired'
      from expired s
      join webhook_endpoints e on e.tenant_id = s.tenant_id and e.environment = s.environment
      where e.enabled and 'verification.expired' = any(e.events)
      returning verification_id
    )
    select (select count(*) from expired)::integer, (select count(*) from queued)::integer;
end $$;
