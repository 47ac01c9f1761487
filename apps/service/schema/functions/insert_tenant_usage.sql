-- A tenant has its usage row from the start, so that a creation only has to lock it.
create or replace function insert_tenant_usage() returns trigger language plpgsql as $$
begin
  insert into tenant_usage (tenant_id, day, used, last_created_at) values (new.id, '-infinity', 0, '-infinity');
  return null;
end $$;

create or replace trigger insert_tenant_usage after insert on tenants for each row execute function insert_tenant_usage();
