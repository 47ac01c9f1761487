-- Number and digest of a tenant's rows without the named columns, to compare two cells.
create or replace function digest_tenant_rows(target text, of_tenant uuid, without text[]) returns table (rows bigint, digest text)
  language plpgsql as $$
begin
  return query execute format(
    'select count(*), coalesce(sum(hashtextextended((to_jsonb(t) - $2)::text, 0)::numeric), 0)::text from %I t where %I = $1',
    target, case target when 'tenants' then 'id' else 'tenant_id' end)
  using of_tenant, without || drawn_columns(target);
end $$;
