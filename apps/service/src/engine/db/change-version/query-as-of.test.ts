import { failedBeforeCommit, isTemporary } from '../failures.ts'
import { expect, test } from 'vitest'
import { openTestStores } from '../../../../test/database/stores.ts'
import { runSqlText } from '../../../../test/database/clock.ts'
import type { Database, Db } from '../open.ts'
import { declaredTables } from '../schema/tables.ts'
import { sql, type Sql } from '../sql.ts'
import { changeVersion, queryAsOf, queryWithAsOf } from './query-as-of.ts'

type Trigger = { table: string; definition: string; row_level: boolean; deferred: boolean }

async function readTriggers(db: Db): Promise<Trigger[]> {
  return db.query<Trigger>(sql`
    select c.relname as table, pg_get_triggerdef(t.oid) as definition, t.tgtype & 1 = 1 as row_level,
      t.tgdeferrable and t.tginitdeferred as deferred
    from pg_trigger t
    join pg_class c on c.oid = t.tgrelid
    join pg_proc p on p.oid = t.tgfoid
    where p.proname = 'replace_change_version'
    order by c.relname, t.tgname`)
}

test.each(declaredTables.filter(({ cached }) => cached !== undefined))(
  '[GEN-14] every column of $name replaces the version, unless it is declared not to',
  async ({ name, cached }) => {
    await using stores = await openTestStores()
    const triggers = (await readTriggers(stores.db)).filter((trigger) => trigger.table === name)
    const definitions = triggers.map(({ definition }) => definition)
    const [onUpdate = '', ...more] = definitions.filter((each) => each.includes(' AFTER UPDATE ON '))
    expect(more).toEqual([])
    const ignored = `'{${cached?.except?.join(',') ?? ''}}'::text[]`
    expect(onUpdate).toContain(
      `((to_jsonb(old.*) - ${ignored}) IS DISTINCT FROM (to_jsonb(new.*) - ${ignored}))`,
    )
    expect(definitions.filter((each) => / AFTER (INSERT OR )?DELETE ON /.test(each)).length).toBe(1)
    expect(definitions.filter((each) => each.includes(' AFTER TRUNCATE ON ')).length).toBe(1)
    expect(triggers.filter(({ deferred, row_level }) => deferred !== row_level)).toEqual([])
  },
)

test('[GEN-14] a change replaces the version, and the use of a key or a device does not', async () => {
  await using stores = await openTestStores()
  const { db } = stores
  const tenant = await insertTenant(db)
  const replaces = async (change: Sql) => {
    const before = await queryAsOf(db)
    await db.execute(change)
    return (await queryAsOf(db)).change_version !== before.change_version
  }
  const hash = Buffer.alloc(32, 1)
  const device = '00000000-0000-4000-8000-000000000001'

  expect(await replaces(insertKey(tenant, hash))).toBe(false)
  expect(await replaces(sql`update api_keys set last_used_at = service_now()`)).toBe(false)
  expect(await replaces(sql`update api_keys set scopes = scopes`)).toBe(false)
  expect(await replaces(sql`update api_keys set scopes = '{verifications:create}'`)).toBe(true)
  expect(await replaces(sql`update api_keys set expires_at = service_now()`)).toBe(true)
  expect(await replaces(sql`update api_keys set revoked_at = service_now()`)).toBe(true)
  expect(await replaces(sql`delete from api_keys`)).toBe(true)
  expect(await replaces(sql`update tenants set hold_back = true where id = ${tenant}`)).toBe(true)
  expect(await replaces(sql`insert into tenant_trust (tenant_id) values (${tenant})`)).toBe(true)
  expect(await replaces(sql`update tenant_trust set version = version + 1`)).toBe(true)
  expect(await replaces(sql`insert into tenant_identities (tenant_id) values (${tenant})`)).toBe(true)
  expect(await replaces(sql`update tenant_identities set updated_at = service_now()`)).toBe(false)
  expect(await replaces(sql`insert into webhook_secrets (tenant_id, sealed) values (${tenant}, 'x')`)).toBe(
    true,
  )
  expect(
    await replaces(sql`
      insert into devices (tenant_id, id, environment, name, allowed_templates, pairing_hash, created_at, pairing_expires_at)
      values (${tenant}, ${device}, 'test', 'till', '{a}', ${hash}, service_now(), service_now())`),
  ).toBe(false)
  expect(await replaces(sql`update devices set status = 'active', generation = 1`)).toBe(false)
  expect(await replaces(sql`update devices set generation = 2, last_seen_at = service_now()`)).toBe(false)
  expect(await replaces(sql`update devices set allowed_templates = '{b}'`)).toBe(true)
  expect(await replaces(sql`update devices set status = 'revoked', revoked_at = service_now()`)).toBe(true)
  for (const { name, cached } of declaredTables) {
    if (cached === undefined) continue
    const before = await queryAsOf(db)
    await runSqlText(db, `truncate ${name} cascade`)
    expect(await queryAsOf(db)).not.toMatchObject({ change_version: before.change_version })
  }
})

test('[GEN-14] a transaction replaces the version once, however much it changes', async () => {
  await using stores = await openTestStores()
  const tenant = await insertTenant(stores.db)
  const version = async (db: Db) => (await queryAsOf(db)).change_version
  const before = await version(stores.db)

  const versions = await stores.db.transaction(async (tx) => {
    const seen: string[] = []
    await tx.execute(sql`set constraints all immediate`)
    for (let days = 1; days <= 3; days += 1) {
      await tx.execute(sql`update tenants set retention_days = ${days} where id = ${tenant}`)
      seen.push(await version(tx))
    }
    return seen
  })

  expect(new Set(versions).size).toBe(1)
  expect(versions[0]).not.toBe(before)
  expect(await version(stores.db)).toBe(versions[0])
  await stores.db.execute(sql`update tenants set retention_days = 30 where id = ${tenant}`)
  expect(await version(stores.db)).not.toBe(versions[0])
})

test('[GEN-14] a transaction that is rolled back leaves the version as it was', async () => {
  await using stores = await openTestStores()
  const tenant = await insertTenant(stores.db)
  const before = await queryAsOf(stores.db)

  await expect(
    stores.db.transaction(async (tx) => {
      await tx.execute(sql`update tenants set retention_days = 1 where id = ${tenant}`)
      throw new Error('not this time')
    }),
  ).rejects.toThrow('not this time')

  expect((await queryAsOf(stores.db)).change_version).toBe(before.change_version)
})

test('[GEN-14] transactions that change different rows and then wait for each other do not deadlock', async () => {
  await using stores = await openTestStores()
  const other = await stores.openAnother()
  const ids = [await insertTenant(stores.db), await insertTenant(stores.db), await insertTenant(stores.db)]
  const [first = '', second = '', shared = ''] = ids
  const change = (tx: Db, id: string) =>
    tx.execute(sql`update tenants set retention_days = retention_days + 1 where id = ${id}`)
  /** One transaction changes a row and then waits for a row of the other, which then changes a third row. */
  const cross = async (begin: (tx: Db) => Promise<unknown>) => {
    let waiting: Promise<unknown> | undefined
    const holding = other.db.transaction(async (tx) => {
      await begin(tx)
      await tx.query(sql`select 1 as locked from tenants where id = ${shared} for update`)
      waiting = stores.db.transaction(async (own) => {
        await begin(own)
        await change(own, first)
        await change(own, shared)
      })
      waiting.catch(() => {})
      await untilOneWaits(tx)
      await change(tx, second)
    })
    return Promise.allSettled([holding, holding.catch(() => {}).then(() => waiting)])
  }

  const deferred = await cross(async () => {})
  expect(deferred.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  // What would happen if the version were replaced at once: each has what the other waits for.
  const immediate = await cross((tx) => tx.execute(sql`set constraints all immediate`))
  const rejected = immediate.filter((each) => each.status === 'rejected').map(({ reason }) => reason)
  expect(rejected).toMatchObject([{ code: '40P01' }])
  // A caller who loses a deadlock may retry: 503, not 500.
  expect(rejected.map((error) => [isTemporary(error), failedBeforeCommit(error)])).toEqual([[true, true]])
})

test('[GEN-14] a query and its version are read from one snapshot, also if the query finds nothing', async () => {
  await using stores = await openTestStores()
  const { db } = stores
  const tenant = await insertTenant(db)
  const { change_version } = await queryAsOf(db)

  const found = await queryWithAsOf<{ name: string }>(db, sql`select name from tenants where id = ${tenant}`)
  expect(found).toMatchObject({ asOf: { change_version }, rows: [{ name: 'A merchant' }] })
  expect(await queryWithAsOf(db, sql`select name from tenants where false`)).toMatchObject({
    asOf: { change_version, now: expect.stringMatching(/Z$/) },
    rows: [],
  })
  expect(await db.query(sql`select ${changeVersion}`)).toEqual([{ change_version }])
})

async function insertTenant(db: Database): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    sql`insert into tenants (name, plan) values ('A merchant', 'starter') returning id`,
  )
  return row?.id ?? ''
}

function insertKey(tenant_id: string, hash: Buffer): Sql {
  return sql`
    insert into api_keys (tenant_id, environment, name, hash, prefix, scopes)
    values (${tenant_id}, 'test', 'key', ${hash}, 'vk_test_0abc', '{verifications:read}')`
}

async function untilOneWaits(tx: Db): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const rows = await tx.query(sql`
      select 1 as waits from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' limit 1`)
    if (rows.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('no transaction waits for a lock')
}
