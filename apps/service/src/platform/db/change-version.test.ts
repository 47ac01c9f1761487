import { expect, test } from 'vitest'
import { openTestStores } from '../../../test/database/stores.ts'
import { runSqlText } from '../../../test/database/clock.ts'
import type { Database, Db } from './open.ts'
import { sql, type Sql } from './sql.ts'
import { changeVersion, queryMoment, queryWithMoment } from './change-version.ts'

/** What a change of each column means for copies. A new column of these tables needs a decision here. */
const decisions: Record<string, Record<string, 'replaces the version' | { keeps_it_because: string }>> = {
  api_keys: {
    tenant_id: 'replaces the version',
    id: 'replaces the version',
    environment: 'replaces the version',
    hash: 'replaces the version',
    scopes: 'replaces the version',
    expires_at: 'replaces the version',
    revoked_at: 'replaces the version',
    name: { keeps_it_because: 'only lists show it' },
    prefix: { keeps_it_because: 'only lists show it' },
    created_at: { keeps_it_because: 'only lists show it' },
    created_by: { keeps_it_because: 'only the removal of a member reads it' },
    replaced_by: { keeps_it_because: 'only lists show it; the end of the key changes with it' },
    last_used_at: {
      keeps_it_because: 'it is written once a minute while a key is used, and only lists show it',
    },
  },
  tenants: {
    id: 'replaces the version',
    name: 'replaces the version',
    plan: 'replaces the version',
    daily_quota: 'replaces the version',
    retention_days: 'replaces the version',
    forget_on_delivery: 'replaces the version',
    hold_back: 'replaces the version',
    status_unavailable: 'replaces the version',
    brand: 'replaces the version',
    page_origins: 'replaces the version',
    age_app: 'replaces the version',
    hashing_cell: { keeps_it_because: 'it is written only with the row' },
    created_at: { keeps_it_because: 'only lists show it' },
  },
  tenant_identities: {
    tenant_id: 'replaces the version',
    certificate: 'replaces the version',
    verifier_info: 'replaces the version',
    updated_at: { keeps_it_because: 'nothing reads it' },
  },
  registrations: {
    tenant_id: 'replaces the version',
    id: 'replaces the version',
    is_default: 'replaces the version',
    token: 'replaces the version',
    info_base64url: 'replaces the version',
    info_jwt: 'replaces the version',
    name: { keeps_it_because: 'only pages show it' },
    fingerprint: { keeps_it_because: 'it belongs to the token' },
    contents: {
      keeps_it_because:
        'it belongs to the token; a copy of it is kept by the id, under which it never changes',
    },
    dataset: { keeps_it_because: 'requests carry it as part of the verifier_info' },
    findings: { keeps_it_because: 'it is written by every check, and only pages show it' },
    expires_at: { keeps_it_because: 'only pages and alerts show it' },
    created_at: { keeps_it_because: 'only pages show it' },
    checked_at: { keeps_it_because: 'it is written by every check, and only pages show it' },
    check_due_at: { keeps_it_because: 'only the worker reads it' },
  },
  template_registrations: {
    tenant_id: 'replaces the version',
    template: 'replaces the version',
    registration_id: 'replaces the version',
  },
  registration_settings: {
    tenant_id: 'replaces the version',
    encoding: 'replaces the version',
    policy: 'replaces the version',
  },
  tenant_trust: {
    tenant_id: 'replaces the version',
    policy: 'replaces the version',
    version: 'replaces the version',
  },
  templates: {
    tenant_id: 'replaces the version',
    key: 'replaces the version',
    version: 'replaces the version',
    updated_at: { keeps_it_because: 'only lists show it' },
  },
  webhook_secrets: {
    tenant_id: 'replaces the version',
    id: 'replaces the version',
    sealed: 'replaces the version',
    retires_at: 'replaces the version',
    environment: 'replaces the version',
    created_at: { keeps_it_because: 'only the dashboard shows it' },
  },
  devices: {
    tenant_id: 'replaces the version',
    id: 'replaces the version',
    environment: 'replaces the version',
    name: 'replaces the version',
    status: 'replaces the version',
    allowed_templates: 'replaces the version',
    pairing_hash: { keeps_it_because: 'only pairing reads it' },
    pairing_expires_at: { keeps_it_because: 'only pairing reads it' },
    generation: { keeps_it_because: 'every refresh of a token increments it, and reads the row itself' },
    created_at: { keeps_it_because: 'only lists show it' },
    enrolled_at: { keeps_it_because: 'only lists show it' },
    last_seen_at: { keeps_it_because: 'it is written while a device is used, and only lists show it' },
    revoked_at: { keeps_it_because: 'it changes together with the status' },
    revoked_by_reuse: { keeps_it_because: 'it changes together with the status' },
    registered_by: { keeps_it_because: 'only the removal of a member reads it' },
    tokens_after: { keeps_it_because: 'it changes together with the status' },
    accepts_later_generation: { keeps_it_because: 'only the exchange of a refresh token reads it' },
  },
}

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

test('[GEN-14] exactly these tables replace the version', async () => {
  await using stores = await openTestStores()
  const triggers = await readTriggers(stores.db)

  expect([...new Set(triggers.map(({ table }) => table))]).toEqual(Object.keys(decisions).toSorted())
})

test.each(Object.entries(decisions))(
  '[GEN-14] every column of %s either replaces the version or has a reason not to',
  async (table, columns) => {
    await using stores = await openTestStores()
    const existing = await stores.db.query<{ name: string }>(sql`
      select attname as name from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
      order by attname limit 1000`)
    expect(Object.keys(columns).toSorted()).toEqual(existing.map(({ name }) => name))

    const triggers = (await readTriggers(stores.db)).filter((trigger) => trigger.table === table)
    const definitions = triggers.map(({ definition }) => definition)
    const [onUpdate = '', ...more] = definitions.filter((each) => each.includes(' AFTER UPDATE ON '))
    expect(more).toEqual([])
    const compared = new Set([...onUpdate.matchAll(/new\.(\w+)/g)].map(([, column = '']) => column))
    expect([...compared].toSorted()).toEqual(
      Object.keys(columns)
        .filter((column) => columns[column] === 'replaces the version')
        .toSorted(),
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
    const before = await queryMoment(db)
    await db.execute(change)
    return (await queryMoment(db)).change_version !== before.change_version
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
  for (const table of Object.keys(decisions)) {
    const before = await queryMoment(db)
    await runSqlText(db, `truncate ${table} cascade`)
    expect(await queryMoment(db)).not.toMatchObject({ change_version: before.change_version })
  }
})

test('[GEN-14] a transaction replaces the version once, however much it changes', async () => {
  await using stores = await openTestStores()
  const tenant = await insertTenant(stores.db)
  const version = async (db: Db) => (await queryMoment(db)).change_version
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
  const before = await queryMoment(stores.db)

  await expect(
    stores.db.transaction(async (tx) => {
      await tx.execute(sql`update tenants set retention_days = 1 where id = ${tenant}`)
      throw new Error('not this time')
    }),
  ).rejects.toThrow('not this time')

  expect((await queryMoment(stores.db)).change_version).toBe(before.change_version)
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
  expect(immediate.filter(({ status }) => status === 'rejected')).toMatchObject([
    { reason: { code: '40P01' } },
  ])
})

test('[GEN-14] a query and its version are read from one snapshot, also if the query finds nothing', async () => {
  await using stores = await openTestStores()
  const { db } = stores
  const tenant = await insertTenant(db)
  const { change_version } = await queryMoment(db)

  const found = await queryWithMoment<{ name: string }>(
    db,
    sql`select name from tenants where id = ${tenant}`,
  )
  expect(found).toMatchObject({ moment: { change_version }, rows: [{ name: 'A merchant' }] })
  expect(await queryWithMoment(db, sql`select name from tenants where false`)).toMatchObject({
    moment: { change_version, now: expect.stringMatching(/Z$/) },
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
