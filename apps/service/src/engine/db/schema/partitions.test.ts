import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../../test/database/test-database.ts'
import { setClockOffset } from '../../../../test/database/clock.ts'
import { openDatabase } from '../open.ts'
import { dropPartition, makePartitionsAhead, partitionDays } from './partitions.ts'
import { sql } from '../sql.ts'

test('partitions are created ahead, accept rows when their day comes, and are dropped within a second', async () => {
  await using database = await createTestDatabase()
  const db = openDatabase({ url: database.url, poolSize: 5 })
  await db.execute(sql`
    create table visits (day date not null, id bigint not null, note text not null, primary key (day, id))
    partition by range (day)`)
  await db.execute(sql`insert into daily_tables (name, days_ahead) values ('visits', 7)`)

  await Promise.all([1, 2, 3].map(() => makePartitionsAhead(db)))
  const days = await partitionDays(db, 'visits')
  expect(days).toHaveLength(9)
  await setClockOffset(db, '8 days')
  await makePartitionsAhead(db)
  await db.execute(
    sql`insert into visits select service_day(), n, 'a week later' from generate_series(1, 100000) n`,
  )

  const [today] = await db.query<{ day: string }>(sql`select service_day() as day`)
  const started = performance.now()
  expect(await dropPartition(db, 'visits', today?.day ?? '')).toBe(true)
  expect(performance.now() - started).toBeLessThan(1000)
  expect(await db.query(sql`select id from visits limit 1`)).toEqual([])
  expect(await partitionDays(db, 'visits')).not.toContain(today?.day)
  await db.close()
})

test('creating partitions does not wait for readers or writers', async () => {
  await using database = await createTestDatabase()
  const db = openDatabase({ url: database.url, poolSize: 5 })
  await db.execute(sql`create table visits (day date not null, id bigint not null) partition by range (day)`)
  await db.execute(sql`insert into daily_tables (name) values ('visits')`)
  await makePartitionsAhead(db)
  await setClockOffset(db, '1 day')

  const made = await db.transaction(async (tx) => {
    await tx.execute(sql`insert into visits values (service_day(), 1)`)
    return makePartitionsAhead(db)
  })

  expect(made).toBeGreaterThanOrEqual(1)
  await db.close()
})

test('a partition that is in use is dropped by a later call', async () => {
  await using database = await createTestDatabase()
  const db = openDatabase({ url: database.url, poolSize: 5 })
  await db.execute(sql`create table visits (day date not null, id bigint not null) partition by range (day)`)
  await db.execute(sql`insert into daily_tables (name) values ('visits')`)
  await makePartitionsAhead(db)
  const [today] = await db.query<{ day: string }>(sql`select service_day() as day`)
  const day = today?.day ?? ''

  await db.transaction(async (tx) => {
    await tx.query(sql`select id from visits limit 1`)
    expect(await dropPartition(db, 'visits', day)).toBe(false)
  })

  expect(await dropPartition(db, 'visits', day)).toBe(true)
  await db.close()
})
