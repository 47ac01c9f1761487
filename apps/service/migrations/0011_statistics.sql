-- The planner keeps samples of a column's values in pg_statistic, beyond any DELETE and VACUUM, until the table happens to be
-- analysed again. What an erasure must remove is therefore never sampled. No plan wants it: these columns are read, or found
-- by an index that needs no estimate.
alter table verification_sessions
  alter column query set statistics 0,
  alter column metadata set statistics 0,
  alter column purpose set statistics 0,
  alter column webhook_url set statistics 0,
  alter column redirect_url set statistics 0,
  alter column error set statistics 0;
alter table verification_results
  alter column claims set statistics 0,
  alter column credentials set statistics 0;
alter table idempotency_keys
  alter column answer set statistics 0;
alter table webhook_queue
  alter column url set statistics 0;
alter table audit_inbox
  alter column actor_name set statistics 0,
  alter column subject set statistics 0,
  alter column purpose set statistics 0,
  alter column detail set statistics 0;
alter table audit_texts
  alter column secret set statistics 0,
  alter column actor_name set statistics 0,
  alter column subject set statistics 0,
  alter column purpose set statistics 0;

-- As before; and a new partition samples no more than its table does, which `like` does not carry over.
create or replace function make_partitions(table_name text, first_day date, last_day date) returns integer
  language plpgsql as $$
declare
  day       date;
  partition text;
  column_   text;
  made      integer := 0;
begin
  perform pg_advisory_xact_lock(hashtextextended('make_partitions:' || table_name, 0));
  for day in select generate_series(first_day, last_day, interval '1 day')::date loop
    partition := table_name || to_char(day, '_YYYYMMDD');
    continue when to_regclass(partition) is not null;
    execute format(
      'create table %I (like %I including defaults including constraints including indexes including storage)',
      partition, table_name);
    for column_ in
      select attname from pg_attribute
      where attrelid = table_name::regclass and attnum > 0 and not attisdropped and attstattarget = 0
    loop
      execute format('alter table %I alter column %I set statistics 0', partition, column_);
    end loop;
    execute format(
      'alter table %I attach partition %I for values from (%L) to (%L)',
      table_name, partition, day, day + 1);
    made := made + 1;
  end loop;
  return made;
end $$;
