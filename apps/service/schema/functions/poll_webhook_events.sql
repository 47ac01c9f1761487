-- Makes events ready that are due, or whose lease expired, and logs the attempts that were interrupted. Returns the lanes with ready events
-- that follow one.
create or replace function poll_webhook_events(after_tenant uuid, after_host text, max_lanes integer, max_due integer)
  returns table (tenant_id uuid, host text)
  language plpgsql
  set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
  set enable_hashjoin = off set enable_mergejoin = off
  as $$
#variable_conflict use_column
declare
  polled_at constant timestamptz := service_now();
begin
  perform from webhook_events where not ready and due_at <= polled_at limit 1;
  if found then
    with due as materialized (
      select session_id, endpoint_id, lease is not null as interrupted
      from webhook_events
      where not ready and due_at <= polled_at
      order by due_at
      limit max_due
      for update skip locked
    ), interrupted as materialized (
      select queue.*
      from due
      join webhook_events queue on queue.session_id = due.session_id and queue.endpoint_id = due.endpoint_id
      where due.interrupted
    ), logged as (
      insert into webhook_deliveries
        (session_day, session_id, endpoint_id, attempt, tenant_id, environment, attempted_at, outcome, event_type, url)
      select session_day, session_id, endpoint_id, attempt, tenant_id, environment, polled_at, 'interrupted', event_type, url
      from interrupted
      where kind = 'verification'
    )
    update webhook_events queue set ready = true, lease = null
    from due
    where queue.session_id = due.session_id and queue.endpoint_id = due.endpoint_id;
  end if;
  return query select lane.tenant_id, lane.host from webhook_event_lanes(after_tenant, after_host, max_lanes) lane;
end $$;
