-- From `final_at` on, the outcome of a verification does not change.
-- What the figures count of each verification, as anyone is shown it. An empty template is a query of the verification's own, and the
-- zero device is none.
create or replace view verification_outcomes as
  select s.day, s.tenant_id, s.environment, s.created_at, coalesce(s.template, '') as template,
    coalesce(s.device_id, '00000000-0000-0000-0000-000000000000') as device_id,
    outcome_of(shown.status, s.error ->> 'code') as outcome,
    case when shown.status = 'failed' then coalesce(s.error ->> 'code', '') else '' end as error_code,
    s.first_fetched_at is not null or shown.status in ('completed', 'failed') as opened,
    response_bucket(case when shown.status in ('completed', 'failed')
      then extract(epoch from s.responded_at - s.created_at)::double precision end) as response_bucket,
    case when s.status <> 'pending' and not (s.held and s.redeemed_at is null) then s.responded_at
      else redeemable_until(s.expires_at, s.responded_at) end as final_at
  from verification_sessions s
  cross join lateral (
    select shown_status(s.status, s.held and s.redeemed_at is null, s.expires_at, s.responded_at) as status
  ) shown;
