import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../../test/database/test-database.ts'
import { startFaultProxy } from '../../../../test/network/fault-proxy.ts'
import { connectAsAdmin } from '../../../../test/database/postgres.ts'
import { connectionLost, failedBeforeCommit, isTemporary, serverUnavailable } from '../failures.ts'
import { openDatabase } from '../open.ts'
import { sql } from '../sql.ts'

const insert = sql`insert into notes default values`
/** The longest a request may take, including everything it waits for. */
const request_ms = 15_000

async function open({ poolSize = 8 } = {}) {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await createTestDatabase())
  const url = new URL(database.url)
  const proxy = stack.use(await startFaultProxy({ port: Number(url.port || 5432), host: url.hostname }))
  url.host = `127.0.0.1:${proxy.port}`
  const db = openDatabase({ url: url.href, poolSize })
  stack.defer(() => db.close())
  await db.execute(sql`create table notes (id bigint generated always as identity)`)
  const disposable = stack.move()
  return { db, proxy, database, [Symbol.asyncDispose]: () => disposable.disposeAsync() }
}

test('when PostgreSQL stops responding, everything in progress ends by the client-side limit with an unknown outcome', async () => {
  await using at = await open()
  const { db, proxy } = at
  const locks = await db.connection()
  const beforeStatement = Promise.withResolvers<void>()
  const opened = Array.from({ length: 3 }, () => Promise.withResolvers<void>())
  const under = [
    db.query(sql`select pg_sleep(3)`),
    db.transaction(async (tx) => {
      opened[0]?.resolve()
      await beforeStatement.promise
      await tx.execute(insert)
    }),
    // The server stops responding before the commit is sent.
    db.transaction(async (tx) => {
      await tx.execute(insert)
      opened[1]?.resolve()
      await beforeStatement.promise
    }),
    db.transaction(async () => {
      opened[2]?.resolve()
      await beforeStatement.promise
      throw new Error('changed my mind')
    }),
  ].map((work) => work.then(String, (error: unknown) => error))
  await Promise.all(opened.map(({ promise }) => promise))
  await sleep(100)

  const started = performance.now()
  await proxy.begin('silence')
  beforeStatement.resolve()
  const lock = locks.query(sql`select pg_try_advisory_lock(1)`).catch((error: unknown) => error)
  const ended = await Promise.all([...under, lock])

  expect(performance.now() - started).toBeLessThan(request_ms)
  expect(ended.map(connectionLost)).toEqual([true, true, true, false, true])
  expect(ended[3]).toMatchObject({ message: 'changed my mind' })
  expect(ended.map(failedBeforeCommit)).toEqual([false, false, false, false, false])
  expect(locks.lost.aborted).toBe(true)
  locks.close()

  const again = performance.now()
  const [first, ...others] = await Promise.all(
    Array.from({ length: 20 }, () => db.query(sql`select 1`).catch((error: unknown) => error)),
  )
  expect(performance.now() - again).toBeLessThan(5000)
  expect([first, ...others].every(serverUnavailable)).toBe(true)

  await proxy.end()
  expect(await db.query(sql`select 1 as alive`)).toEqual([{ alive: 1 }])
})

test('half-open connections are replaced, all of them after the first one fails', async () => {
  await using at = await open()
  const { db, proxy } = at
  await Promise.all(Array.from({ length: 8 }, () => db.query(sql`select pg_sleep(0.2)`)))
  await proxy.begin('half-open')
  await proxy.end()

  await expect(db.query(sql`select 1`)).rejects.toSatisfy(connectionLost)
  const started = performance.now()
  await Promise.all(Array.from({ length: 16 }, () => db.query(sql`select 1`)))
  expect(performance.now() - started).toBeLessThan(5000)
})

test('[FAULT-2] a read-only database counts as unavailable: nothing is committed, and its connections are not reused', async () => {
  await using at = await open()
  const { db, database, proxy } = at
  await using admin = await connectAsAdmin()
  await db.query(sql`select 1`)
  await admin.query(`alter database ${database.name} set default_transaction_read_only = on`)
  await db.execute(sql`set default_transaction_read_only = on`)

  const single = await db.execute(insert).catch((error: unknown) => error)
  const inTransaction = await db.transaction((tx) => tx.execute(insert)).catch((error: unknown) => error)
  expect([single, inTransaction].map((error) => [isTemporary(error), failedBeforeCommit(error)])).toEqual([
    [true, false],
    [true, false],
  ])

  await admin.query(`alter database ${database.name} reset default_transaction_read_only`)
  const before = proxy.accepted
  // The first statement after the change may still get an old connection.
  await db.execute(insert).catch(() => {})
  expect(await db.execute(insert)).toBe(1)
  expect(proxy.accepted).toBeGreaterThan(before)
})

test('close returns although PostgreSQL does not respond', async () => {
  await using at = await open()
  const { proxy, database } = at
  const db = openDatabase({
    url: `postgres://postgres@127.0.0.1:${proxy.port}/${database.name}`,
    poolSize: 2,
  })
  await db.query(sql`select 1`)
  await proxy.begin('silence')
  const hanging = db.query(sql`select 1`).catch((error: unknown) => error)
  await sleep(50)

  const started = performance.now()
  await db.close()
  expect(performance.now() - started).toBeLessThan(6000)
  expect(connectionLost(await hanging)).toBe(true)
  await proxy.end()
})

test('a statement error leaves the connection in the pool', async () => {
  await using at = await open({ poolSize: 1 })
  const { db, proxy } = at
  const before = proxy.accepted
  await expect(db.query(sql`select 1 / 0`)).rejects.toSatisfy(failedBeforeCommit)
  expect(await db.query(sql`select 1 as alive`)).toEqual([{ alive: 1 }])
  expect(proxy.accepted).toBe(before)
})
