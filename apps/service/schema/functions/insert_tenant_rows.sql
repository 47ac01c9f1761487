-- Inserts rows that open_tenant_rows returned in another cell.
create or replace function insert_tenant_rows(target text, given jsonb) returns bigint
  language plpgsql as $$
declare
  columns  text;
  inserted bigint;
begin
  select string_agg(quote_ident(a.attname), ', ' order by a.attnum) into columns
  from pg_attribute a
  where a.attrelid = to_regclass(target) and a.attnum > 0 and not a.attisdropped and a.attname <> all (drawn_columns(target));
  execute format('insert into %I (%s) select %s from jsonb_populate_recordset(null::%I, $1)', target, columns, columns, target)
    using given;
  get diagnostics inserted = row_count;
  return inserted;
end $$;
