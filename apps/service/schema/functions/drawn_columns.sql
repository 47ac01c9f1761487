-- The columns whose values are drawn from a sequence: another cell draws its own.
create or replace function drawn_columns(target text) returns text[]
  language sql stable as $$
    select coalesce(array_agg(a.attname::text), '{}')
    from pg_attribute a
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = to_regclass(target) and a.attnum > 0 and not a.attisdropped
      and (a.attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) like 'nextval(%')
  $$;
