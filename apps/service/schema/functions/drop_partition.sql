-- Drops one day. Waits for nobody: a day that is being read now is dropped at the next call.
create or replace function drop_partition(table_name text, day date) returns void
  language plpgsql as $$
begin
  set local lock_timeout = '200ms';
  execute format('drop table if exists %I', table_name || to_char(day, '_YYYYMMDD'));
end $$;
