-- Opens a cursor over a tenant's rows of a table, each as JSON.
create or replace function open_tenant_rows(target text, of_tenant uuid) returns void
  language plpgsql as $$
declare
  tenant_rows constant refcursor := 'tenant_rows';
begin
  open tenant_rows no scroll for execute
    format('select to_jsonb(t)::text as row from %I t where %I = $1', target, case target when 'tenants' then 'id' else 'tenant_id' end)
    using of_tenant;
end $$;
