import { setTimeout as pass } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database/test-database.ts'
import { connectionLost, failedBeforeCommit, timedOut } from './failures.ts'
import { openDatabase } from './open.ts'
import { sql } from './sql.ts'

async function open() {
  const database = await createTestDatabase()
  const db = openDatabase({ url: database.url, poolSize: 3 })
  await db.execute(sql`create table notes (id int primary key, at timestamptz)`)
  return Object.assign(db, {
    async [Symbol.asyncDispose]() {
      await db.close()
      await database[Symbol.asyncDispose]()
    },
  })
}

test('[GEN-2] times leave the driver as UTC text with six fractional digits', async () => {
  await using db = await open()

  const rows = await db.query(sql`
    select at from (values
      (timestamptz '2026-01-15 12:00:00+00'),
      (timestamptz '2026-01-15 13:00:00.5+01'),
      (timestamptz '2026-01-15 12:00:00.123456+00')) as times (at)`)

  expect(rows).toEqual([
    { at: '2026-01-15T12:00:00.000000Z' },
    { at: '2026-01-15T12:00:00.500000Z' },
    { at: '2026-01-15T12:00:00.123456Z' },
  ])
})

test('a transaction commits when its work returns and rolls back when it throws', async () => {
  await using db = await open()
  await db.transaction((tx) => tx.execute(sql`insert into notes values (1, service_now())`))
  const failing = db.transaction(async (tx) => {
    await tx.execute(sql`insert into notes values (2, service_now())`)
    throw new Error('changed my mind')
  })

  await expect(failing).rejects.toThrow('changed my mind')
  expect(await db.query(sql`select id from notes`)).toEqual([{ id: 1 }])
})

test('a transaction that swallowed an error is not reported as committed', async () => {
  await using db = await open()
  const swallowing = db.transaction(async (tx) => {
    await tx.execute(sql`insert into notes values (1, service_now())`)
    await tx.execute(sql`insert into notes values (1, service_now())`).catch(() => 'ignored')
  })

  await expect(swallowing).rejects.toThrow('rolled back')
  expect(await db.query(sql`select id from notes`)).toEqual([])
})

test('failures are distinguished: rejected before the commit, timed out, connection lost', async () => {
  await using db = await open()
  await db.execute(sql`insert into notes values (1, service_now())`)
  const duplicate = await db.execute(sql`insert into notes values (1, null)`).catch((error: unknown) => error)
  const cancelled = await db
    .transaction(async (tx) => {
      await tx.execute(sql`set local statement_timeout = 20`)
      await tx.execute(sql`select pg_sleep(1)`)
    })
    .catch((error: unknown) => error)
  const killed = await db
    .execute(sql`select pg_terminate_backend(pg_backend_pid())`)
    .catch((error: unknown) => error)

  const kinds = [duplicate, cancelled, killed].map((error) => [
    failedBeforeCommit(error),
    timedOut(error),
    connectionLost(error),
  ])
  expect(kinds).toEqual([
    [true, false, false],
    [false, true, false],
    [false, false, true],
  ])
  expect(await db.query(sql`select 1 as alive`)).toEqual([{ alive: 1 }])
})

test('a connection keeps its locks between statements, reports when it is lost, and then releases them', async () => {
  await using db = await open()
  const lock = sql`select pg_try_advisory_lock(7) as locked`
  const connection = await db.connection()
  expect(await connection.query(lock)).toEqual([{ locked: true }])
  expect(await db.query(lock)).toEqual([{ locked: false }])

  const [backend] = await connection.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  await db.query(sql`select pg_terminate_backend(${backend?.pid})`)
  await expect.poll(() => connection.lost.aborted).toBe(true)
  await expect.poll(() => db.query(lock)).toEqual([{ locked: true }])
  connection.close()
})

test('a connection that breaks between two statements of a transaction fails the transaction, not the process', async () => {
  await using db = await open()
  const broken = db.transaction(async (tx) => {
    const [backend] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    await db.query(sql`select pg_terminate_backend(${backend?.pid})`)
    await pass(100)
    await tx.execute(sql`insert into notes values (1, service_now())`)
  })

  await expect(broken).rejects.toSatisfy(connectionLost)
  expect(await db.query(sql`select id from notes`)).toEqual([])
})

test('a lookup uses its index even on a table of one row, because its plan is kept while the table grows', async () => {
  await using db = await open()
  await db.execute(sql`insert into notes values (1, now())`)
  await db.execute(sql`analyze notes`)

  const plan = await db.query<{ 'QUERY PLAN': string }>(
    sql`explain select at from notes where id = any (${[1]}::int[])`,
  )
  expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toMatch(/Index.* Scan/)
})
