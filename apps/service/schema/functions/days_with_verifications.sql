-- The newest days on which a tenant has verifications in an environment, at most so many. One call looks at every day on which the tenant created
-- anything, so that a page of a list costs as many statements as it has days with rows, and not one for every day of the past year.
-- The day is written into the statement: its plan then knows the one partition. The first row of a day is found by an ordered search,
-- because with `exists` the planner collects every verification that the tenant had on that day before it looks at the first.
create or replace function days_with_verifications(of_tenant uuid, in_environment text, last_day date, max_days integer)
  returns setof date
  language plpgsql stable as $$
declare
  used_day date := last_used_day(of_tenant, coalesce(last_day, 'infinity'));
  has_any  boolean;
  found    integer := 0;
begin
  for looked in 1..1000 loop
    exit when used_day is null or found >= max_days;
    execute format(
      'select true from verification_sessions where day = %L and tenant_id = $1 and environment = $2 order by created_at desc limit 1',
      used_day)
      into has_any using of_tenant, in_environment;
    if has_any then
      return next used_day;
      found := found + 1;
    end if;
    used_day := last_used_day(of_tenant, used_day - 1);
  end loop;
end $$;
