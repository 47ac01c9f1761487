-- The days of the partitions in which a tenant has rows.
create or replace function tenant_row_days(target text, of_tenant uuid) returns table (day date)
  language plpgsql as $$
begin
  return query execute format(
    $query$select distinct to_date(right(t.tableoid::regclass::text, 8), 'YYYYMMDD') from %I t where tenant_id = $1$query$, target)
  using of_tenant;
end $$;
