import { Client } from 'pg'

/**
 * The tables, views and triggers of a database as SQL, in a form that is the same for every version of PostgreSQL. Partitions by day
 * are left out, as are functions: their files are what is in force.
 */
export async function describeSchema(url: string): Promise<string> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ text: string }>(statement)
    return `${header}\n\n${rows.map(({ text }) => text).join('\n\n')}\n`
  } finally {
    await client.end()
  }
}

const header = `-- The tables, views and triggers in force after all migrations, for readers and reviews. Functions are in functions/.
-- Written by \`npm run schema\`; a test compares it with a new database.`

const statement = `
with described as (
  select c.oid, c.relname as name, c.relkind, c.relispartition
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p', 'v', 'c')
    and c.relname !~ '_[0-9]{8}$'
),
columns as (
  select a.attrelid as of, a.attnum::integer as position, concat_ws(' ',
    quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
    case when a.attnotnull then 'not null' end,
    case when a.attidentity <> '' then 'generated always as identity' end,
    'default ' || pg_get_expr(d.adbin, d.adrelid),
    case when a.attstattarget = 0 then '/* no statistics */' end) as line
  from pg_attribute a
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attnum > 0 and not a.attisdropped
),
constraints as (
  select conrelid as of, 1000 + row_number() over (order by contype = 'c', contype, conname)::integer as position,
    format('constraint %I %s', conname, pg_get_constraintdef(oid)) as line
  from pg_constraint where contype in ('p', 'u', 'f', 'c')
),
lines as (
  select of, string_agg('  ' || line, E',\\n' order by position) as text
  from (select * from columns union all select * from constraints) as both_kinds
  group by of
),
further as (
  select indrelid as of, 1 as kind, indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as text from pg_index
  where indexrelid not in (select conindid from pg_constraint where contype in ('p', 'u'))
  union all
  select tgrelid, 2, tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
)
select concat_ws(E'\\n',
  case when d.relkind = 'v' then format('create view %I as%s', d.name, E'\\n' || pg_get_viewdef(d.oid))
  else concat(
    format('create %s %I (%s)', case d.relkind when 'c' then 'type' else 'table' end, d.name, E'\\n' || l.text || E'\\n'),
    ' partition by ' || pg_get_partkeydef(d.oid),
    case when d.relispartition then format(' partition of %s %s',
      (select inhparent::regclass from pg_inherits where inhrelid = d.oid), pg_get_expr(c.relpartbound, c.oid)) end,
    ' with (' || array_to_string(c.reloptions, ', ') || ')', ';') end,
  (select string_agg(f.text || ';', E'\\n' order by f.kind, f.name collate "C") from further f where f.of = d.oid)) as text
from described d
join pg_class c on c.oid = d.oid
left join lines l on l.of = d.oid
order by d.name collate "C"`
