-- The newest days on which a tenant's chain has entries or, where a subject is named, texts about it: at most so many. One
-- call looks at every day there is, so that a page of the audit log does not cost a statement for each of them. The day is
-- written into the statement: its plan then knows the one partition.
create or replace function audit_days(of_tenant uuid, of_subject text, first_day date, last_day date, max_days integer)
  returns setof date
  language plpgsql stable as $$
declare
  source  text := case when of_subject is null then 'audit_entries' else 'audit_texts' end;
  -- A subject has few texts, and they are found by an index that has no order.
  rest    text := case when of_subject is null then 'order by seq desc limit 1' else 'and subject = $2 limit 1' end;
  a_day   date;
  has_any boolean;
  found   integer := 0;
begin
  for a_day in
    select days.day from (
      select to_date(right(child.relname, 8), 'YYYYMMDD') as day
      from pg_inherits
      join pg_class parent on parent.oid = inhparent
      join pg_class child on child.oid = inhrelid
      where parent.relname = source and parent.relnamespace = current_schema()::regnamespace
    ) as days
    where (first_day is null or days.day >= first_day) and (last_day is null or days.day <= last_day)
    order by days.day desc
    limit 40000
  loop
    execute format('select true from %I where day = %L and tenant_id = $1 %s', source, a_day, rest)
      into has_any using of_tenant, of_subject;
    continue when has_any is null;
    return next a_day;
    found := found + 1;
    exit when found >= max_days;
  end loop;
end $$;
