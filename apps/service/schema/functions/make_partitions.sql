-- Creates the partitions of the given days where they are missing. A partition is created beside its table and then attached, which
-- lets reads and writes go on; creating it in place would lock them out. It samples no more columns than its table, which `like`
-- does not carry over.
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
