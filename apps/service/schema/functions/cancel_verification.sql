-- Ends a verification that no wallet has responded to: its secrets are destroyed, so that no response can be recorded, and it reads as
-- expired. Without `of_tenant`, for whoever knows the id. `outcome` is `responded` if a wallet was first, `over` if it had ended before,
-- and there is no row for a verification that does not exist. An endpoint that asks for cancellations is told of one; the others, of a
-- verification that expired.
create or replace function cancel_verification(
  of_day date, of_id text, of_tenant uuid, in_environment text, of_device uuid, by_kind text, by_actor text, by_name text)
  returns table (outcome text, redirect_url text, queued integer)
  language plpgsql as $$
#variable_conflict use_column
declare
  found_row verification_sessions;
  events    integer;
begin
  select * into found_row from verification_sessions s
  where s.day = of_day and s.id = of_id and (of_tenant is null or s.tenant_id = of_tenant and s.environment = in_environment)
    and (of_device is null or s.device_id = of_device)
  for update;
  if not found then return; end if;
  if found_row.responded_at is not null then return query select 'responded', found_row.redirect_url, 0; return; end if;
  if found_row.seed is null or found_row.expires_at <= service_now() then
    return query select 'over', found_row.redirect_url, 0;
    return;
  end if;

  update verification_sessions s set expires_at = service_now(), seed = null, expected = null, cancelled_by = by_kind
  where s.day = of_day and s.id = of_id;
  insert into audit_inbox (tenant_id, action, actor, actor_name, subject)
  values (found_row.tenant_id, 'verification.cancelled', by_actor, by_name, of_id);
  insert into webhook_events
    (verification_id, endpoint_id, verification_day, tenant_id, environment, url, host, forget_on_delivery, attempt, event_type)
  select of_id, e.id, of_day, e.tenant_id, e.environment, e.url, e.host, false, 0,
    case when 'verification.cancelled' = any(e.events) then 'verification.cancelled' else 'verification.expired' end
  from webhook_endpoints e
  where e.tenant_id = found_row.tenant_id and e.environment = found_row.environment and e.enabled
    and e.events && array['verification.cancelled', 'verification.expired']
  limit 100;
  get diagnostics events = row_count;
  return query select 'cancelled', found_row.redirect_url, events;
end $$;
