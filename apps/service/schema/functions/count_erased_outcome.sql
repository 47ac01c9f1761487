-- Counts a verification that is erased before its day was counted; one that was counted stays counted. Dropping a partition fires no trigger:
-- retention does not touch figures. An open verification that is erased is never answered.
create or replace function count_erased_outcome() returns trigger language plpgsql as $$
declare
  shown      text := shown_status(old.status, old.held and old.redeemed_at is null, old.expires_at, old.responded_at);
  error_code text := coalesce(old.error ->> 'code', '');
begin
  if old.day <= (select through from outcome_progress) then return null; end if;
  perform pg_advisory_xact_lock_shared(outcome_lock(old.tenant_id));
  if exists (
    select from outcome_marks m
    where m.tenant_id = old.tenant_id and m.environment = old.environment and old.created_at < m.counted_before
  ) then return null; end if;
  insert into erased_outcomes as counted (
    tenant_id, environment, day, template, device_id, outcome, error_code, opened, response_bucket, verifications)
  values (
    old.tenant_id, old.environment, old.day, coalesce(old.template, ''),
    coalesce(old.device_id, '00000000-0000-0000-0000-000000000000'),
    case when shown = 'pending' then 'expired' else outcome_of(shown, error_code) end,
    case when shown = 'failed' then error_code else '' end,
    old.first_fetched_at is not null or shown in ('completed', 'failed'),
    response_bucket(case when shown in ('completed', 'failed')
      then extract(epoch from old.responded_at - old.created_at)::double precision end),
    1)
  on conflict on constraint erased_outcomes_pkey do update set verifications = counted.verifications + 1;
  return null;
end $$;

create or replace trigger count_erased_outcome after delete on verification_sessions
  for each row execute function count_erased_outcome();
