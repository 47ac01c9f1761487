-- Enables or disables the trigger of one table. The caller commits after each table, so that none is locked for long.
create or replace function hold_tenant_table(target text, enabled boolean) returns void
  language plpgsql as $$
begin
  if exists (select from pg_trigger where tgrelid = to_regclass(target) and tgname = 'hold_moving_tenant') then
    execute format('alter table %I %s trigger hold_moving_tenant', target, case when enabled then 'enable' else 'disable' end);
  elsif enabled then
    execute format(
      'create trigger hold_moving_tenant before insert or update or delete on %I for each row execute function hold_moving_tenant(%L)',
      target, target);
  end if;
end $$;
