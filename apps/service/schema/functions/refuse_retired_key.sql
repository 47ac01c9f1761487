-- Refuses a value that a process with an old copy of the ring sealed under a retired key. The lock makes a retirement wait for the transaction, so
-- that it counts the value.
create or replace function refuse_retired_key() returns trigger
  language plpgsql as $$
declare
  columns text[] := tg_argv;
  a_column text;
  key_id  bigint;
  retired timestamptz;
begin
  foreach a_column in array columns loop
    execute format('select sealing_key_of(($1).%I)', a_column) into key_id using new;
    continue when key_id is null;
    select k.retired_at into retired from keyring k where k.id = key_id for share;
    if retired is not null then
      raise exception 'sealing key % is retired', key_id using errcode = 'VK001';
    end if;
  end loop;
  return new;
end $$;
