-- Makes events ready that are due, or whose lease expired, and logs the attempts that were interrupted. Returns the queues with ready events
-- that follow one.
create or replace function poll_webhook_events(after_tenant uuid, after_host text, max_queues integer, max_due integer)
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
      select verification_id, endpoint_id, lease is not null as interrupted
      from webhook_events
      where not ready and due_at <= polled_at
      order by due_at
      limit max_due
      for update skip locked
    ), interrupted as materialized (
      select queue.*
      from due
      join webhook_events queue on queue.verification_id = due.verification_id and queue.endpoint_id = due.endpoint_id
      where due.interrupted
    ), logged as (
      insert into webhook_deliveries
        (verification_day, verification_id, endpoint_id, attempt, tenant_id, environment, attempted_at, outcome, event_type, url)
      select verification_day, verification_id, endpoint_id, attempt, tenant_id, environment, polled_at, 'interrupted', event_type, url
      from interrupted
      where kind = 'verification'
    )
    update webhook_events queue set ready = true, lease = null
    from due
    where queue.verification_id = due.verification_id and queue.endpoint_id = due.endpoint_id;
  end if;
  return query select queue.tenant_id, queue.host from webhook_receiver_queues(after_tenant, after_host, max_queues) queue;
end $$;
