-- The trigger of every table with rows of tenants, enabled only during a move. What a caller would be told is refused; what runs in the
-- background, or records a use, changes nothing and finds its row again in the other cell.
create or replace function hold_moving_tenant() returns trigger
  language plpgsql as $$
declare
  target    constant text := tg_argv[0];
  of_tenant uuid;
  held      text;
  unchanged record;
begin
  if target = 'tenants' then
    of_tenant := case tg_op when 'DELETE' then old.id else new.id end;
  else
    of_tenant := case tg_op when 'DELETE' then old.tenant_id else new.tenant_id end;
  end if;
  if tg_op = 'DELETE' then unchanged := old; else unchanged := new; end if;
  if of_tenant is null then return unchanged; end if;
  select m.stage into held from tenant_moves m where m.tenant = of_tenant;
  if held is null or held = 'finished' then return unchanged; end if;

  if held = 'draining' then
    -- Only claims are held: an attempt in progress still records its outcome.
    if tg_op = 'UPDATE' then
      if target = 'webhook_events' then
        if new.lease is not null and new.lease is distinct from old.lease then return null; end if;
      end if;
    end if;
    return unchanged;
  end if;

  -- What was appended before is still chained.
  if target = 'audit_inbox' and tg_op <> 'INSERT' then return unchanged; end if;
  if held = 'finishing' and (tg_op = 'DELETE' or target in ('audit_inbox', 'access_certificates', 'erased_outcomes')) then return unchanged; end if;

  if target in ('request_log', 'mails', 'alert_events', 'alert_rates') then return null; end if;
  if tg_op = 'INSERT' and target = 'webhook_deliveries' then return null; end if;
  if tg_op = 'INSERT' and target = 'webhook_events' then
    if new.kind <> 'verification' then return null; end if;
  end if;
  if tg_op = 'UPDATE' then
    if target = 'webhook_events' then return null; end if;
    if target = 'verification_sessions' then
      -- The sweep of expired verifications, and a wallet that fetches its request.
      if new.seed is null and new.status = 'pending' then return null; end if;
      if to_jsonb(new) - '{fetches,first_fetched_at}'::text[] = to_jsonb(old) - '{fetches,first_fetched_at}'::text[] then
        return null;
      end if;
    elsif target = 'api_keys' then
      if to_jsonb(new) - 'last_used_at' = to_jsonb(old) - 'last_used_at' then return null; end if;
    elsif target in ('devices', 'members') then
      if to_jsonb(new) - 'last_seen_at' = to_jsonb(old) - 'last_seen_at' then return null; end if;
    elsif target = 'member_sessions' then
      if to_jsonb(new) - 'seen_at' = to_jsonb(old) - 'seen_at' then return null; end if;
    end if;
  end if;
  raise exception 'tenant % is being moved to another cell', of_tenant using errcode = 'VM001';
end $$;
