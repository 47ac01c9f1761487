import { createHash } from 'node:crypto'
import type { Database } from '../../src/engine/db/open.ts'
import { declaredTables } from '../../src/engine/db/schema/tables.ts'
import { sql } from '../../src/engine/db/sql.ts'
import { runSqlText } from './clock.ts'

/** A digest of each table's rows, by table name. With `except`, only rows that certainly belong to another tenant. */
export type TableDigests = Map<string, string>

/** Columns that are updated asynchronously, as a side effect of requests. */
const ignoredColumns = [
  'last_used_at',
  'last_seen_at',
  'seen_at',
  'fetches',
  'first_fetched_at',
  'fetched_at',
]

/** The request log is written a moment after the request that it records. */
const digested = declaredTables.map(({ name }) => name).filter((name) => name !== 'request_log')

/** Creates the function that `digestTables` needs to read any table as text. */
export async function prepareDigests(db: Database): Promise<void> {
  await runSqlText(
    db,
    `create function rows_of(name text, past uuid) returns setof text language plpgsql as $f$
     begin
       return query execute format(
         'select (to_jsonb(t) - %L::text[])::text from %I t where $1 is null or coalesce(to_jsonb(t) ->> ''tenant_id'', case when %L = ''tenants'' then to_jsonb(t) ->> ''id'' end) <> $1::text',
         '{${ignoredColumns.join(',')}}', name, name) using past;
     end $f$`,
  )
}

export async function digestTables(db: Database, except?: string): Promise<TableDigests> {
  const rows = await db.query<{ name: string; row: string }>(sql`
    select name, row from unnest(${digested}::text[]) as name, rows_of(name, ${except ?? null}::uuid) as row
    order by 1, 2`)
  const tables = new Map<string, string[]>()
  for (const { name, row } of rows) tables.set(name, [...(tables.get(name) ?? []), row])
  return new Map(
    Array.from(tables, ([name, all]) => [name, createHash('sha256').update(all.join('\n')).digest('hex')]),
  )
}

/** The names of the tables whose digests differ. */
export function changedTables(before: TableDigests, after: TableDigests): string[] {
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names].filter((name) => before.get(name) !== after.get(name))
}
