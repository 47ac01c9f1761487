-- As days_with_verifications, for verifications that may have a value in their metadata: the index has its hash, or the day is not indexed.
create or replace function days_with_metadata(
  of_tenant uuid, in_environment text, of_hash bigint, last_day date, max_days integer)
  returns setof date
  language plpgsql stable as $$
declare
  used_day  date;
  until_day date;
  has_any   boolean;
  found     integer := 0;
begin
  select (m.indexed_until at time zone 'UTC')::date into until_day
  from metadata_marks m where m.tenant_id = of_tenant;
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
    if until_day is null or used_day >= until_day then
      execute format(
        'select true from verification_sessions where day = %L and tenant_id = $1 and environment = $2 order by created_at desc limit 1',
        used_day)
        into has_any using of_tenant, in_environment;
    else
      execute format(
        'select true from verification_metadata where day = %L and tenant_id = $1 and hash = $2 order by created_at desc limit 1',
        used_day)
        into has_any using of_tenant, of_hash;
    end if;
    continue when has_any is null;
    return next used_day;
    found := found + 1;
    exit when found >= max_days;
  end loop;
end $$;
