-- Once per transaction: a new version becomes visible together with all changes of its transaction.
create or replace function replace_change_version() returns trigger language plpgsql as $$
declare
  current_transaction constant text := pg_current_xact_id()::text;
begin
  if current_setting('vidimus.change_version_replaced_by', true) is distinct from current_transaction then
    update change_version set version = gen_random_uuid();
    perform set_config('vidimus.change_version_replaced_by', current_transaction, true);
  end if;
  return null;
end $$;
