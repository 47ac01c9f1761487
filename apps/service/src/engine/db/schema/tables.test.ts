import { expect, test } from 'vitest'
import { runSqlText } from '../../../../test/database/clock.ts'
import { openTestStores } from '../../../../test/database/stores.ts'
import type { Db } from '../open.ts'
import { sql } from '../sql.ts'
import { declaredTables } from './tables.ts'

test('every table is declared as what it is, and every column of bytes has a purpose', async () => {
  await using stores = await openTestStores()

  expect(await findProblems(stores.db)).toEqual([])
})

test('a table without a declaration, a column of bytes without a purpose and a column that names a verification are found', async () => {
  await using stores = await openTestStores()
  await runSqlText(
    stores.db,
    `create table forgotten (tenant_id uuid);
     alter table tenants add column secret bytea;
     alter table alerts add column verification_id text;
     alter table usage_days drop column tenant_id`,
  )

  expect(await findProblems(stores.db)).toEqual([
    'alerts.verification_id names a verification: what does an erasure do?',
    'forgotten is not declared',
    'tenants.secret has bytes without a purpose',
    'usage_days is not of a tenant',
  ])
})

type Column = { table: string; column: string; bytes: boolean }

async function findProblems(db: Db): Promise<string[]> {
  const columns = await db.query<Column>(sql`
    select c.relname::text as table, a.attname::text as column, a.atttypid = 'bytea'::regtype as bytes
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = current_schema()::regnamespace
    order by 1, 2 limit 10000`)
  const existing = Map.groupBy(columns, ({ table }) => table)
  const missing = declaredTables.filter(({ name }) => !existing.has(name))
  return [
    ...missing.map(({ name }) => `${name} does not exist`),
    ...[...existing].flatMap(([table, its]) => findProblemsOf(table, its)),
  ].toSorted()
}

function findProblemsOf(table: string, columns: readonly Column[]): string[] {
  const declared = declaredTables.find(({ name }) => name === table)
  if (declared === undefined) return [`${table} is not declared`]
  const { of, sealed, bytes, cached, erasure } = declared
  const names = columns.map(({ column }) => column)
  const purposes = new Set([...Object.keys(sealed ?? {}), ...Object.keys(bytes ?? {})])
  const isOfTenant = names.includes('tenant_id') || table === 'tenants'
  const named = columns.filter(({ column }) => /^verification_(id|hash)$/.test(column))
  return [
    ...(isOfTenant === (of === 'tenant')
      ? []
      : [`${table} is not of ${of === 'tenant' ? 'a tenant' : 'the installation'}`]),
    ...columns
      .filter(({ column, bytes: isBytes }) => isBytes !== purposes.has(column))
      .map(({ column }) => `${table}.${column} has bytes without a purpose`),
    ...[...purposes, ...(cached?.except ?? [])]
      .filter((column) => !names.includes(column))
      .map((column) => `${table}.${column} does not exist`),
    ...(erasure === undefined ? named : []).map(
      ({ column }) => `${table}.${column} names a verification: what does an erasure do?`,
    ),
  ]
}
