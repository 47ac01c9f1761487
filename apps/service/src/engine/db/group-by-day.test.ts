import { afterAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database/test-database.ts'
import { batchRows, block_days, groupByDay } from './days.ts'
import { openDatabase } from './open.ts'
import { sql, toStatement, type Sql } from './sql.ts'

const day_ms = 86_400_000
const database = await createTestDatabase()
// One connection, because plans are kept per connection.
const db = openDatabase({ url: database.url, poolSize: 1 })
afterAll(async () => {
  await db.close()
  await database[Symbol.asyncDispose]()
})

/** Two days of one block that are neither recent nor at its edges. */
const middle = (Math.floor(Date.now() / day_ms / block_days) - 2) * block_days + 10
const [old, older] = [dayAt(middle + 5), dayAt(middle)]
const days = [dayOffset(0), dayOffset(-1), old, older, dayAt(middle - 100), dayOffset(4000)]
await db.execute(
  sql`create table visits (day date not null, id text, primary key (day, id)) partition by range (day)`,
)
await db.query(sql`select make_partitions('visits', day, day) from unnest(${days}::date[]) as day`)
await db.execute(sql`insert into visits select day, 'x' from unnest(${days}::date[]) as day`)

test('rows of any days are found, each once', async () => {
  const keys = [...days, dayAt(middle + 1), '2900-01-01'].map((day) => ({ day, id: 'x' }))
  const found = []
  for (const group of groupByDay(keys)) found.push(...(await db.query<{ day: string }>(select(group))))

  expect(found.map(({ day }) => day).toSorted()).toEqual(days.toSorted())
})

test('a recent day is planned alone; of older days, only those between the first and the last are opened', async () => {
  expect(await openedPartitions([dayOffset(0), dayOffset(0)])).toEqual([[partition(dayOffset(0))]])
  expect(await openedPartitions([dayOffset(0), dayOffset(-1)])).toEqual([
    [partition(dayOffset(0))],
    [partition(dayOffset(-1))],
  ])
  expect(await openedPartitions([old])).toEqual([[partition(old)]])
  expect(await openedPartitions([older, old])).toEqual([[partition(older), partition(old)]])
  expect(await openedPartitions([older, dayOffset(0), dayAt(middle - 100)])).toHaveLength(3)
  expect(await openedPartitions([dayOffset(4000)])).toEqual([[partition(dayOffset(4000))]])
})

test('days that callers invent cause few statements and few plans', () => {
  const keys = Array.from({ length: 5000 }, (_, index) => ({ day: dayAt(20_454 + index * 52), id: 'x' }))
  const all = [...groupByDay(keys), ...keys.flatMap((key) => groupByDay([key]))]

  expect(groupByDay(keys).length).toBeLessThanOrEqual(16)
  expect(new Set(all.map((group) => toStatement(select(group)).name)).size).toBeLessThanOrEqual(20)
  expect(new Set(all.map((group) => toStatement(select(group)).name))).not.toContain(undefined)
})

test('days within a month of each other are read with one statement, wherever the blocks begin', () => {
  for (let first = middle; first < middle + block_days; first += 1)
    expect(groupByDay([{ day: dayAt(first) }, { day: dayAt(first + block_days) }])).toHaveLength(1)
})

test('one generic plan is kept for all days of a block', async () => {
  for (let run = 0; run < 10; run += 1) {
    const first = dayAt(middle + (run % 4))
    for (const group of groupByDay([
      { day: first, id: 'x' },
      { day: old, id: 'x' },
    ]))
      await db.query(select(group))
  }
  const [group] = groupByDay([{ day: old, id: 'x' }])
  if (group === undefined) throw new Error('no group')
  const [row] = await db.query<{ generic_plans: number }>(
    sql`select generic_plans from pg_prepared_statements where name = ${toStatement(select(group)).name}`,
  )
  expect(row?.generic_plans).toBeGreaterThanOrEqual(5)
})

function select({ keys, onDay }: { keys: object[]; onDay: Sql }): Sql {
  return sql`
    select s.day, s.id
    from ${batchRows(keys)} as requested (place integer, day date, id text)
    cross join lateral (select day, id from visits s where ${onDay} and s.id = requested.id limit 1) s`
}

/** The partitions that the executor opens, for each statement. */
async function openedPartitions(requested: string[]): Promise<string[][]> {
  const opened = []
  for (const group of groupByDay(requested.map((day) => ({ day, id: 'x' })))) {
    const plan = await db.query<{ 'QUERY PLAN': string }>(sql`explain (costs off) ${select(group)}`)
    const lines = plan.map((line) => line['QUERY PLAN']).join('\n')
    opened.push([...new Set(lines.match(/\bvisits_\d{8}\b/g))].toSorted())
  }
  return opened
}

function partition(day: string): string {
  return `visits_${day.replaceAll('-', '')}`
}

function dayAt(index: number): string {
  return new Date(index * day_ms).toISOString().slice(0, 10)
}

function dayOffset(offset: number): string {
  return dayAt(Math.floor(Date.now() / day_ms) + offset)
}
