-- As days_with_verifications, for verifications that may have a value in their metadata: the index has its hash, or the day is not indexed.
create or replace function days_with_metadata(
  of_tenant uuid, in_environment text, of_hash bigint, last_day date, max_days integer)
  returns setof date
  language plpgsql stable as $$
declare
  used_day  date := last_used_day(of_tenant, coalesce(last_day, 'infinity'));
  until_day date;
  has_any   boolean;
  found     integer := 0;
begin
  select (m.indexed_until at time zone 'UTC')::date into until_day
  from metadata_marks m where m.tenant_id = of_tenant;
  for looked in 1..1000 loop
    exit when used_day is null or found >= max_days;
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
    if has_any then
      return next used_day;
      found := found + 1;
    end if;
    used_day := last_used_day(of_tenant, used_day - 1);
  end loop;
end $$;
