import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database/test-database.ts'
import { batchRows, oneOf } from './days.ts'
import { openDatabase } from './open.ts'
import { sql, toStatement, type Sql } from './sql.ts'

const database = await createTestDatabase()
// One connection, because plans are kept per connection.
const db = openDatabase({ url: database.url, poolSize: 1 })
afterAll(async () => {
  await db.close()
  await database[Symbol.asyncDispose]()
})

/** How often a statement used its generic plan in ten runs for one to three callers. */
async function keptPlans(statementFor: (ids: string[]) => Sql): Promise<number> {
  for (let run = 0; run < 10; run += 1) {
    await db.query(statementFor(Array.from({ length: 1 + (run % 3) }, () => randomUUID())))
  }
  const { name } = toStatement(statementFor([]))
  const [row] = await db.query<{ generic_plans: number }>(
    sql`select generic_plans from pg_prepared_statements where name = ${name}`,
  )
  return row?.generic_plans ?? 0
}

test('batchRows keeps a generic plan for any number of rows', async () => {
  expect(
    await keptPlans(
      (ids) => sql`
        select batch.place, t.id
        from ${batchRows(ids.map((id) => ({ id })))} as batch (place integer, id uuid)
        cross join lateral (select id from tenants where id = batch.id limit 1) t`,
    ),
  ).toBeGreaterThanOrEqual(5)
})

test('oneOf keeps a generic plan, whereas a plain array is planned every time', async () => {
  const plain = (ids: string[]) => sql`select id, plan from tenants where id = any (${ids}::uuid[])`
  const hidden = (ids: string[]) => sql`select id, plan from tenants where id = ${oneOf(sql`${ids}::uuid[]`)}`

  expect(await keptPlans(hidden)).toBeGreaterThanOrEqual(5)
  expect(await keptPlans(plain)).toBe(0)
})

test('every row has its place, counted from 1, and a member named place cannot override it', async () => {
  const rows = [{ id: 'a' }, { id: 'b', place: 7 }, { id: "'; drop table tenants; --" }]

  expect(
    await db.query(sql`select * from ${batchRows(rows)} as batch (place integer, id text) order by place`),
  ).toEqual([
    { place: 1, id: 'a' },
    { place: 2, id: 'b' },
    { place: 3, id: "'; drop table tenants; --" },
  ])
})
