-- The lanes (a tenant's events to one host) with ready events that follow one, each found by one step in the index.
create or replace function webhook_event_lanes(after_tenant uuid, after_host text, max_lanes integer)
  returns table (tenant_id uuid, host text)
  language plpgsql stable
  set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
  as $$
begin
  tenant_id := after_tenant;
  host := after_host;
  for step in 1..max_lanes loop
    select lane.tenant_id, lane.host into tenant_id, host
    from webhook_events lane
    where lane.ready and (lane.tenant_id, lane.host) > (webhook_event_lanes.tenant_id, webhook_event_lanes.host)
    order by lane.tenant_id, lane.host
    limit 1;
    exit when not found;
    return next;
  end loop;
end $$;
