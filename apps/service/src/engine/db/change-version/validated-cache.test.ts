import { expect, test } from 'vitest'
import { openTestStores } from '../../../../test/database/stores.ts'
import type { Database } from '../open.ts'
import { sql } from '../sql.ts'
import { queryAsOf, queryWithAsOf } from './query-as-of.ts'
import { maxWaitingForAsOf, shareReads, validatedCache } from './validated-cache.ts'

type Tenant = { id: string; retention_days: number }

/** A cache of tenants, and the keys of each of its statements. */
function cacheTenants(maxEntries = 100) {
  const statements: string[][] = []
  const cache = validatedCache<string, Tenant>({
    maxEntries,
    maxBatch: 100,
    maxWaiting: 1000,
    nameOf: (id) => id,
    async read(db, ids) {
      statements.push(ids)
      const { asOf, rows } = await queryWithAsOf<Tenant>(
        db,
        sql`select id, retention_days from tenants where id = any (${ids}::uuid[])`,
      )
      return { asOf, values: ids.map((id) => rows.find((row) => row.id === id)) }
    },
  })
  return { cache, statements }
}

async function insertTenant(db: Database): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    sql`insert into tenants (name, plan) values ('A merchant', 'starter') returning id`,
  )
  return row?.id ?? ''
}

async function setRetention(db: Database, id: string, days: number): Promise<void> {
  await db.execute(sql`update tenants set retention_days = ${days} where id = ${id}`)
}

/** The database with something that happens before each statement, as if another process had done it. */
function withInterruption(db: Database, interrupt: () => Promise<void>): Database {
  return {
    ...db,
    async query(statement) {
      await interrupt()
      return db.query(statement)
    },
  }
}

test('[GEN-14] a copy is used as long as nothing changes, and read again after any change', async () => {
  await using stores = await openTestStores()
  const other = await stores.openAnother()
  const { db } = stores
  const [id, unrelated] = [await insertTenant(db), await insertTenant(db)]
  const { cache, statements } = cacheTenants()

  for (let round = 0; round < 3; round += 1)
    expect(await cache.current(db, id)).toMatchObject({ value: { retention_days: 30 } })
  const { change_version } = await queryAsOf(db)
  expect(await cache.at(db, change_version, id)).toMatchObject({ retention_days: 30 })
  expect(statements).toEqual([[id]])

  await setRetention(other.db, unrelated, 7)
  expect(await cache.current(db, id)).toMatchObject({ value: { retention_days: 30 } })
  expect(statements.length).toBe(2)
  await setRetention(other.db, id, 7)
  expect(await cache.current(db, id)).toMatchObject({ value: { retention_days: 7 } })
})

test('[GEN-14] a change between the read of the version and that of the row is never kept under the old version', async () => {
  await using stores = await openTestStores()
  const other = await stores.openAnother()
  const id = await insertTenant(stores.db)
  const { cache, statements } = cacheTenants()
  let days = 30
  let interrupting = false
  const db = withInterruption(stores.db, async () => {
    if (interrupting) await setRetention(other.db, id, (days += 1))
  })

  const { asOf: old } = await cache.current(db, id)
  interrupting = true
  const { asOf, value } = await cache.current(db, id)
  interrupting = false
  // The version was read after one change, the row after another.
  expect(value).toEqual(expect.objectContaining({ retention_days: 32 }))
  expect(asOf.change_version).not.toBe(old.change_version)

  await setRetention(other.db, id, 40)
  const before = statements.length
  // A request that has seen the version of the interrupted read may use its copy; one that has seen any other must not.
  expect(await cache.at(db, asOf.change_version, id)).toMatchObject({ retention_days: 32 })
  expect(statements.length).toBe(before)
  expect(await cache.at(db, old.change_version, id)).toMatchObject({ retention_days: 40 })
  expect(statements.length).toBe(before + 1)
  expect(await cache.at(db, undefined, id)).toMatchObject({ retention_days: 40 })
  expect(statements.length).toBe(before + 2)
})

test('[GEN-14] [AUTH-10] what is not found is never kept, and a copy whose row is gone is dropped', async () => {
  await using stores = await openTestStores()
  const { db } = stores
  const id = await insertTenant(db)
  const unknown = '00000000-0000-4000-8000-000000000000'
  const { cache, statements } = cacheTenants()
  let reads = 0
  const counting: Database = {
    ...db,
    query(statement) {
      reads += 1
      return db.query(statement)
    },
  }

  await cache.current(counting, id)
  for (const key of [unknown, unknown])
    expect(await cache.current(counting, key)).toMatchObject({ value: undefined })
  expect(statements).toEqual([[id], [unknown], [unknown]])

  await db.execute(sql`delete from tenant_usage where tenant_id = ${id}`)
  await db.execute(sql`delete from tenants where id = ${id}`)
  expect(await cache.current(counting, id)).toMatchObject({ value: undefined })
  reads = 0
  expect(await cache.current(counting, id)).toMatchObject({ value: undefined })
  // One statement, as for a key that was never there.
  expect(reads).toBe(1)
})

test('a full cache forgets copies and reads them again', async () => {
  await using stores = await openTestStores()
  const { db } = stores
  const ids = await Promise.all(Array.from({ length: 6 }, () => insertTenant(db)))
  const { cache, statements } = cacheTenants(4)
  for (const id of ids) await cache.current(db, id)
  for (const id of ids) expect(await cache.current(db, id)).toMatchObject({ value: { id } })

  expect(statements.length).toBeGreaterThan(6)
})

test('[GEN-14] reads that arrive together share a statement that is sent after the last of them', async () => {
  let sent = 0
  const results: ((result: number) => void)[] = []
  const read = shareReads(() => {
    sent += 1
    return new Promise<number>((resolve) => results.push(resolve))
  })
  const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))

  const first = [read(), read()]
  expect(sent).toBe(0)
  await turn()
  expect(sent).toBe(1)
  // These arrive while the first statement runs: its result may be older than a change that they must see.
  const second = [read(), read()]
  await turn()
  expect(sent).toBe(1)
  results[0]?.(1)
  expect(await Promise.all(first)).toEqual([1, 1])
  await turn()
  expect(sent).toBe(2)
  results[1]?.(2)
  expect(await Promise.all(second)).toEqual([2, 2])
})

test('[GEN-14] a failed read of the version fails those who waited for it and nobody else', async () => {
  let fails = true
  const read = shareReads(async () => {
    if (fails) throw new Error('connection lost')
    return 'fine'
  })

  const failed = await Promise.allSettled([read(), read()])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const [duringFailure] = [read(), (fails = false)]
  expect(await duringFailure).toBe('fine')
  expect(await read()).toBe('fine')
})

test('at most so many requests wait for the version', async () => {
  const read = shareReads(() => new Promise<never>(() => {}))
  for (let index = 0; index < maxWaitingForAsOf; index += 1) void read()

  await expect(read()).rejects.toMatchObject({ code: 'overloaded' })
})
