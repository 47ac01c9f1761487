-- Deletes a verification with everything that is derived from it, and removes link and warning from its requests in the log. A delivery in
-- progress is waited for: it records its attempt first. If the holder asked for it, the entry has the hash of the holder's reference, and
-- endpoints learn that the request is done. Returns nothing if there is no such verification.
-- `is true` keeps the planner from the index of a tenant's verifications: on a day without statistics it takes that for as good as
-- the key, and then reads all of the tenant's day.
create or replace function erase_verification(
  of_tenant uuid, in_environment text, of_day date, of_id text, by_actor text, by_name text, of_hash bytea)
  returns table (verifications integer, results integer, deliveries integer, erased_at timestamptz)
  language plpgsql as $$
declare
  gone            verification_sessions;
  gone_results    integer;
  gone_deliveries integer;
  removed         bigint[];
  asked           erasure_requests;
begin
  perform from verification_sessions s
  where s.day = of_day and s.id = of_id and (s.tenant_id = of_tenant and s.environment = in_environment) is true;
  if not found then return; end if;
  perform pg_advisory_xact_lock(webhook_hold_key(of_id));

  delete from verification_sessions s
  where s.day = of_day and s.id = of_id and (s.tenant_id = of_tenant and s.environment = in_environment) is true
  returning s.* into gone;
  if gone.id is null then return; end if;

  delete from erasure_requests e where e.verification_id = of_id returning e.* into asked;
  delete from verification_receipts p where p.day = of_day and p.verification_id = of_id;
  delete from link_results l where l.verification_id = of_id;
  delete from openid_authorizations a where a.verification_id = of_id;
  delete from webhook_events q where q.verification_id = of_id;
  delete from verification_results r where r.purge_day = gone.purge_day and r.verification_id = of_id;
  get diagnostics gone_results = row_count;
  delete from webhook_deliveries d where d.verification_day = of_day and d.verification_id = of_id;
  get diagnostics gone_deliveries = row_count;
  -- Kept until the result is purged, or for 31 days after an attempt if there was none yet or it is kept longer: see
  -- record_webhook_event_attempts. A week for a clock that went back.
  delete from webhook_responses r
  where r.verification_id = of_id
    and r.until_day between least(gone.purge_day, of_day + 24) and greatest(gone.purge_day, of_day + 31);
  update idempotency_keys i set response = null, verification_id = null where i.day = of_day and i.key_hash = gone.idempotency_hash;
  removed := erase_audit_texts(of_tenant, of_id, of_day);
  insert into audit_inbox (tenant_id, at, action, actor, actor_name, detail)
  values (of_tenant, service_now(), 'verification.erased', by_actor, by_name,
    jsonb_strip_nulls(jsonb_build_object('removed', to_jsonb(removed), 'holder_reference', encode(asked.reference_hash, 'hex'))));
  if asked.verification_id is not null then
    perform queue_erasure_event('erasure.executed', of_tenant, in_environment, jsonb_build_object(
      'verification_id', of_id, 'environment', in_environment,
      'requested_at', to_char(asked.requested_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
      'executed_at', to_char(service_now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')));
  end if;
  perform pg_advisory_xact_lock(request_log_lock(of_hash));
  update request_log l set verification_hash = null, warning = null where l.verification_hash = of_hash and l.day >= of_day;
  return query select 1, gone_results, gone_deliveries, service_now();
end $$;
