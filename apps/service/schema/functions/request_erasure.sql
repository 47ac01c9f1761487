-- Records that the holder of a verification asks for its erasure, with what follows: the audit entry, and the event for the merchant, unless
-- it is done at once. A second request changes nothing. Returns whether the verification exists.
create or replace function request_erasure(
  of_tenant uuid, of_day date, of_id text, of_reference bytea, at_once boolean) returns boolean
  language plpgsql as $$
declare
  asked  verification_sessions;
  stored erasure_requests;
begin
  -- An erasure in progress is waited for, so that no request outlives its verification.
  select s.* into asked from verification_sessions s
  where s.day = of_day and s.id = of_id and (s.tenant_id = of_tenant) is true
  for key share;
  if asked.id is null then return false; end if;

  insert into erasure_requests (verification_id, verification_day, tenant_id, environment, reference_hash, requested_at, due_at)
  values (of_id, of_day, of_tenant, asked.environment, of_reference, service_now(), service_now() + interval '1 month')
  on conflict do nothing
  returning * into stored;
  if stored.verification_id is null or at_once then return true; end if;

  insert into audit_inbox (tenant_id, action, actor, subject)
  values (of_tenant, 'erasure.requested', 'holder', of_id);
  perform queue_erasure_event('erasure.requested', of_tenant, asked.environment, jsonb_build_object(
    'verification_id', of_id, 'environment', asked.environment,
    'requested_at', to_char(stored.requested_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'due_at', to_char(stored.due_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')));
  return true;
end $$;
