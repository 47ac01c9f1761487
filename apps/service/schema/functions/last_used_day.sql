-- The last day up to a given one on which a tenant created anything, or null.
create or replace function last_used_day(of_tenant uuid, until_day date)
  returns date
  language plpgsql stable as $$
begin
  return (
    select max(day) from (
      select day from tenant_usage where tenant_id = of_tenant and used > 0 and day <= until_day
      union all
      select max(day) from usage_days where tenant_id = of_tenant and day <= until_day
    ) as used_days);
end $$;
