-- The verifications of these tenants by their outcome as it is now, of days that were not counted as a whole: those that exist, those that
-- were erased, and those that were counted in advance.
create or replace function uncounted_usage(of_tenants uuid[], first_day date, last_day date)
  returns table (tenant_id uuid, day date, environment text, outcome text, verifications bigint)
  language sql stable as $$
  select u.tenant_id, u.day, u.environment, u.outcome, sum(u.verifications)::bigint
  from (
    select s.tenant_id, s.day, s.environment, s.outcome, count(*) as verifications
    from verification_outcomes s
    where s.tenant_id = any (of_tenants) and s.day >= first_day and s.day <= last_day and not exists (
      select from outcome_marks m
      where m.tenant_id = s.tenant_id and m.environment = s.environment and s.created_at < m.counted_before)
    group by 1, 2, 3, 4
    union all
    select e.tenant_id, e.day, e.environment, e.outcome, e.verifications
    from erased_outcomes e
    where e.tenant_id = any (of_tenants) and e.day >= first_day and e.day <= last_day
    union all
    select p.tenant_id, p.day, p.environment, p.outcome, p.verifications
    from outcome_parts p
    where p.tenant_id = any (of_tenants) and p.day >= first_day and p.day <= last_day and not p.by_template and not p.by_device
  ) u
  where u.day > (select through from outcome_progress)
  group by 1, 2, 3, 4
$$;
