import { expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { startService } from '../../../test/service.ts'
import { openWallet } from '../../../test/wallet.ts'
import { partitionDays } from '../../engine/db/schema/partitions.ts'
import { sql } from '../../engine/db/sql.ts'
import { setPolicies } from '../../accounts/tenants/tenant-settings.ts'
import { expireStored } from '../wallet/store.ts'
import { dropOldDays, expireVerifications } from './expire.ts'

test('[WREQ-7] the secrets of an expired verification are destroyed, those of an open one are kept', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const short = (await merchant.post('/v1/verifications', { template: 'age_over_18', ttl_seconds: 60 })).body
    .id
  await merchant.post('/v1/verifications', { template: 'age_over_18', ttl_seconds: 600 })
  await setClockOffset(service.ctx.db, '61 seconds')

  await expireVerifications(service.ctx)

  const rows = await service.ctx.db.query<{ id: string; gone: boolean }>(
    sql`select id, seed is null as gone from verification_sessions order by expires_at`,
  )
  expect(rows.map(({ gone }) => gone)).toEqual([true, false])
  expect(rows[0]?.id).toBe(short)
  expect((await service.anonymous.get(`/wallet/request/${short}`)).status).toBe(410)
})

test('[RET-1] a result is dropped on its purge day, idempotency keys after two days, and nothing sooner', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const created = (
    await merchant.post(
      '/v1/verifications',
      { template: 'age_over_18' },
      { headers: { 'idempotency-key': 'k' } },
    )
  ).body
  await (await openWallet(service.ctx, service.address)).respond(created.wallet_uri)
  const count = async () => {
    const [row] = await service.ctx.db.query(sql`
      select (select count(*) from verification_results) as results, (select count(*) from idempotency_keys) as keys,
        (select count(*) from verification_sessions) as verifications`)
    return row
  }

  await dropOldDays(service.ctx)
  expect(await count()).toEqual({ results: 1, keys: 1, verifications: 1 })
  await setClockOffset(service.ctx.db, '2 days')
  await dropOldDays(service.ctx)
  expect(await count()).toEqual({ results: 1, keys: 0, verifications: 1 })
  await setClockOffset(service.ctx.db, '30 days')
  await dropOldDays(service.ctx)
  expect(await count()).toEqual({ results: 1, keys: 0, verifications: 1 })
  await setClockOffset(service.ctx.db, '31 days')
  await dropOldDays(service.ctx)
  expect(await count()).toEqual({ results: 0, keys: 0, verifications: 1 })
  const [today] = await service.ctx.db.query<{ day: string }>(sql`select service_day() as day`)
  expect(
    (await partitionDays(service.ctx.db, 'verification_results')).every((day) => day > (today?.day ?? '')),
  ).toBe(true)
})

test('verifications and deliveries are dropped after as many days as the operator keeps them, with their results', async () => {
  const environment = { VERIFICATION_RETENTION_DAYS: '30', DELIVERY_RETENTION_DAYS: '31' }
  await using service = await startService({ environment })
  const { ctx } = service
  const merchant = await service.tenant()
  await setPolicies(ctx, { tenant_id: merchant.tenant_id, retention_days: 365 })
  const created = (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body
  await (await openWallet(ctx, service.address)).respond(created.wallet_uri)
  const days = async (offset: number) => {
    await setClockOffset(ctx.db, `${offset} days`)
    await dropOldDays(ctx)
    const tables = ['verification_sessions', 'verification_results', 'webhook_deliveries']
    const [row] = await ctx.db.query<{ today: string }>(
      sql`select (service_day() - ${offset}::int)::text as today`,
    )
    return Promise.all(
      tables.map(async (table) =>
        (await partitionDays(ctx.db, table)).some((day) => day <= (row?.today ?? '')),
      ),
    )
  }
  const results = async () =>
    (await ctx.db.query<{ count: number }>(sql`select count(*)::int as count from verification_results`))[0]
      ?.count

  expect([await days(29), await results()]).toEqual([[true, false, true], 1])
  expect([await days(30), await results()]).toEqual([[false, false, true], 0])
  expect(await days(31)).toEqual([false, false, false])
})

test('the sweep of expired verifications locks the partitions of recent days only, however many there are', async () => {
  await using service = await startService()
  const { db } = service.ctx
  await db.query(sql`select make_partitions('verification_sessions', service_day() - 60, service_day())`)

  const locked = await db.transaction(async (tx) => {
    // A connection keeps a plan from the sixth call on.
    for (let call = 0; call < 8; call += 1) await expireStored(tx, 10)
    return tx.query<{ day: string }>(sql`
      select to_date(right(c.relname, 8), 'YYYYMMDD') as day
      from pg_locks l join pg_class c on c.oid = l.relation
      where l.pid = pg_backend_pid() and c.relkind = 'r' and c.relname like 'verification_sessions_%'
      order by day limit 1000`)
  })

  const [today] = await db.query<{ first: string }>(sql`select service_day() - 2 as first`)
  expect(locked.length).toBeGreaterThan(2)
  expect(locked.filter(({ day }) => day < (today?.first ?? ''))).toEqual([])
})
