-- The newest days on which a tenant has verifications in an environment, at most so many. One call looks at every day on which the tenant created
-- anything, so that a page of a list costs as many statements as it has days with rows, and not one for every day of the past year.
-- The day is written into the statement: its plan then knows the one partition. The first row of a day is found by an ordered search,
-- because with `exists` the planner collects every verification that the tenant had on that day before it looks at the first.
create or replace function days_with_verifications(of_tenant uuid, in_environment text, last_day date, max_days integer)
  returns setof date
  language plpgsql stable as $$
declare
  used_day date;
  has_any  boolean;
  found    integer := 0;
begin
  for used_day in
    select day from (
      select day from tenant_usage where tenant_id = of_tenant and used > 0
      union
      select day from usage_days where tenant_id = of_tenant
    ) as used_days
    where last_day is null or day <= last_day
    order by day desc
    limit 1000
  loop
    execute format(
      'select true from verification_sessions where day = %L and tenant_id = $1 and environment = $2 order by created_at desc limit 1',
      used_day)
      into has_any using of_tenant, in_environment;
    continue when has_any is null;
    return next used_day;
    found := found + 1;
    exit when found >= max_days;
  end loop;
end $$;
