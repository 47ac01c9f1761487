-- Deletes some of a tenant's verifications of a day, with everything that is derived from them. Returns how many. A delivery in
-- progress is waited for: it records its attempt first. Each statement sees what was committed before it began, so an response
-- that the deletion of its verification waited for has its result by then.
create or replace function delete_tenant_verifications(of_tenant uuid, of_day date, max_verifications integer) returns integer
  language plpgsql as $$
declare
  ids        text[];
  purge_days date[];
  key_hashes bytea[];
begin
  ids := array(
    select s.id from verification_sessions s where s.day = of_day and s.tenant_id = of_tenant order by s.id limit max_verifications);
  perform pg_advisory_xact_lock(webhook_hold_key(candidate.id)) from unnest(ids) as candidate (id);

  with gone as (
    delete from verification_sessions s where s.day = of_day and s.id = any (ids) and (s.tenant_id = of_tenant) is true
    returning s.id, s.purge_day, s.idempotency_hash
  )
  select array_agg(gone.id), array_agg(gone.purge_day), array_agg(gone.idempotency_hash)
  into ids, purge_days, key_hashes
  from gone;
  delete from verification_receipts p where p.day = of_day and p.verification_id = any (ids);
  delete from erasure_requests a where a.verification_id = any (ids);
  delete from webhook_events e where e.verification_id = any (ids);
  delete from webhook_deliveries d where d.verification_day = of_day and d.verification_id = any (ids);
  delete from verification_results r
  using unnest(ids, purge_days) as gone (id, purge_day)
  where r.purge_day = gone.purge_day and r.verification_id = gone.id;
  update idempotency_keys k set response = null, verification_id = null where k.day = of_day and k.key_hash = any (key_hashes);
  return coalesce(cardinality(ids), 0);
end $$;
