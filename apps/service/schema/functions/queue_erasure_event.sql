-- Queues an event about an erasure for the endpoints that ask for it. It has its own id, because its verification is or will be gone. Returns
-- how many were queued.
create or replace function queue_erasure_event(event_name text, of_tenant uuid, in_environment text, about jsonb) returns integer
  language plpgsql as $$
declare
  event_id constant text := 'evt_' || rtrim(translate(encode(uuid_send(gen_random_uuid()), 'base64'), '+/', '-_'), '=');
  queued   integer;
begin
  insert into webhook_events (verification_id, endpoint_id, kind, tenant_id, environment, url, host, event_type, payload)
  select event_id, e.id, 'erasure', of_tenant, in_environment, e.url, e.host, event_name,
    jsonb_build_object('type', event_name, 'erasure', about)
  from webhook_endpoints e
  where e.tenant_id = of_tenant and e.environment = in_environment and e.enabled and event_name = any (e.events)
  limit 100;
  get diagnostics queued = row_count;
  return queued;
end $$;
