-- Deletes up to so many of a tenant's rows in each table that has the column tenant_id, whichever slice owns it: a new table
-- needs no change here. Verifications come with what is derived from them, in delete_tenant_verifications, and the audit log has its own
-- rules. What was used is kept for invoices, unless the tenant moved to another cell and took it along. Returns how many rows were deleted; zero when none is left.
create or replace function delete_tenant_rows(of_tenant uuid, max_rows integer) returns bigint
  language plpgsql as $$
declare
  target  regclass;
  deleted bigint;
  total   bigint := 0;
  blocked text := '';
begin
  -- A certificate that another tenant uses as well belongs to that tenant from now on.
  update access_certificates c set tenant_id = i.tenant_id
  from (
    select tenant_id, certificate from tenant_identities
    union all select tenant_id, certificate from ecosystem_identities
  ) i
  where c.tenant_id = of_tenant and i.certificate = c.hash and i.tenant_id is distinct from of_tenant;

  for target in
    select c.oid::regclass
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
      and (c.relname <> 'usage_counts' or exists (select from tenant_moves m where m.tenant = of_tenant))
      and c.relname not like 'audit\_%' and c.relname not like 'verification\_sessions\_%'
    order by c.relname
  loop
    begin
      execute format('delete from %s where ctid = any (array(select ctid from %s where tenant_id = $1 limit $2))', target, target)
        using of_tenant, max_rows;
      get diagnostics deleted = row_count;
      total := total + deleted;
    exception when foreign_key_violation then
      -- Rows of a later table refer to these: the next call deletes them.
      blocked := target::text;
    end;
  end loop;
  if total = 0 and blocked <> '' then
    raise exception 'rows of % are still referred to', blocked;
  end if;
  return total;
end $$;
