-- The queues (a tenant's events to one host) with ready events that follow one, each found by one step in the index.
create or replace function webhook_receiver_queues(after_tenant uuid, after_host text, max_queues integer)
  returns table (tenant_id uuid, host text)
  language plpgsql stable
  set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
  as $$
begin
  tenant_id := after_tenant;
  host := after_host;
  for step in 1..max_queues loop
    select queue.tenant_id, queue.host into tenant_id, host
    from webhook_events queue
    where queue.ready and (queue.tenant_id, queue.host) > (webhook_receiver_queues.tenant_id, webhook_receiver_queues.host)
    order by queue.tenant_id, queue.host
    limit 1;
    exit when not found;
    return next;
  end loop;
end $$;
