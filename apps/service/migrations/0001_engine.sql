-- The one clock. Every time that is stored or compared is read here, after the lock it depends on. Tests replace this
-- function to turn the clock; nothing else may.
create function service_now() returns timestamptz
  language sql volatile parallel safe
  as 'select clock_timestamp()';

create function service_day() returns date
  language sql volatile parallel safe
  as $$ select (service_now() at time zone 'UTC')::date $$;

-- The ring of keys, each wrapped by the master key, which is never here.
create table keyring (
  id         integer primary key,
  purpose    text not null check (purpose in ('mac', 'seal')),
  wrapped    bytea not null,
  created_at timestamptz not null default service_now()
);

-- Tables that are cut by UTC day, so that a day is dropped and not deleted row by row.
create table daily_tables (
  name       text primary key,
  days_ahead integer not null default 7 check (days_ahead between 1 and 400)
);

-- Makes the partitions of the given days where they are missing. A partition is made beside its table and then attached,
-- which lets reads and writes go on; making it in place would lock them out.
create function make_partitions(table_name text, first_day date, last_day date) returns integer
  language plpgsql as $$
declare
  day       date;
  partition text;
  made      integer := 0;
begin
  perform pg_advisory_xact_lock(hashtextextended('make_partitions:' || table_name, 0));
  for day in select generate_series(first_day, last_day, interval '1 day')::date loop
    partition := table_name || to_char(day, '_YYYYMMDD');
    continue when to_regclass(partition) is not null;
    execute format(
      'create table %I (like %I including defaults including constraints including indexes including storage)',
      partition, table_name);
    execute format(
      'alter table %I attach partition %I for values from (%L) to (%L)',
      table_name, partition, day, day + 1);
    made := made + 1;
  end loop;
  return made;
end $$;

-- Makes all that will be needed in the coming days. Safe to call at any time, from any number of processes.
create function make_partitions_ahead() returns integer
  language sql as $$
    select coalesce(sum(make_partitions(name, service_day() - 1, service_day() + days_ahead)), 0)::integer
    from daily_tables
  $$;

-- Drops one day. Waits for nobody: a day that is being read now is dropped at the next call.
create function drop_partition(table_name text, day date) returns void
  language plpgsql as $$
begin
  set local lock_timeout = '200ms';
  execute format('drop table if exists %I', table_name || to_char(day, '_YYYYMMDD'));
end $$;
