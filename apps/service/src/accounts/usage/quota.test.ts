import { expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { startProcesses } from '../../../test/processes/processes.ts'
import { startService } from '../../../test/service.ts'
import { makePartitionsAhead } from '../../engine/db/schema/partitions.ts'
import { sql } from '../../engine/db/sql.ts'
import { setPlan } from '../plans/plans.ts'
import { setQuota, setTenantPlan } from '../tenants/quota.ts'

const plain = { template: 'age_over_18' }

test('[QUOTA-1] the last unit is served, the next is 429 until midnight', async () => {
  await using service = await startService()
  const merchant = await service.tenant({ daily_quota: 2 })
  const live = await merchant.as({ environment: 'live' })

  expect((await merchant.post('/v1/verifications', plain)).status).toBe(201)
  expect((await live.post('/v1/verifications', plain)).status).toBe(201)
  const over = await merchant.post('/v1/verifications', plain)
  const untilMidnight = 86_400 - ((Date.now() / 1000) % 86_400)

  expect([over.status, over.body.error.code]).toEqual([429, 'quota_exceeded'])
  expect(Math.abs(Number(over.headers.get('retry-after')) - untilMidnight)).toBeLessThan(3)
  expect((await merchant.get('/v1/usage')).body).toMatchObject({
    verifications_created: 2,
    daily_quota: 2,
    remaining: 0,
  })
})

test(
  '[QUOTA-2] [QUOTA-3] when the date changes under load, each day counts its own verifications and grants its own quota',
  { timeout: 120_000 },
  async () => {
    await using service = await startProcesses(3)
    const quota = 700
    const merchant = await service.tenant({ daily_quota: quota })
    let turned = false
    let served = 0
    const clients = Array.from({ length: 24 }, async () => {
      for (;;) {
        const { status } = await merchant.post('/v1/verifications', plain)
        expect([201, 429]).toContain(status)
        if (status === 201) served += 1
        else if (turned) return
        else await new Promise((resolve) => setTimeout(resolve, 5))
      }
    })
    while (served < quota / 2) await new Promise((resolve) => setTimeout(resolve, 5))
    await setClockOffset(service.ctx.db, '1 day')
    turned = true
    await Promise.all(clients)

    const verifications = await service.ctx.db.query<{ day: string; n: number }>(
      sql`select day, count(*) as n from verification_sessions where tenant_id = ${merchant.tenant_id} group by day order by day desc`,
    )
    const { body } = await merchant.get('/v1/usage')
    expect(body.recent).toEqual(verifications.map(({ day, n }) => ({ day, verifications_created: n })))
    expect(body.recent[0].verifications_created).toBe(quota)
    const mismatched = await service.ctx.db.query(
      sql`select id from verification_sessions where day <> (created_at at time zone 'UTC')::date limit 1`,
    )
    expect(mismatched).toEqual([])
  },
)

test('[QUOTA-3] the quota resets at midnight UTC', async () => {
  await using service = await startService()
  const merchant = await service.tenant({ daily_quota: 1 })
  await merchant.post('/v1/verifications', plain)
  expect((await merchant.post('/v1/verifications', plain)).status).toBe(429)

  await setClockOffset(service.ctx.db, '1 day')

  expect((await merchant.get('/v1/usage')).body).toMatchObject({ verifications_created: 0, remaining: 1 })
  expect((await merchant.post('/v1/verifications', plain)).status).toBe(201)
})

test("lowering the quota below the usage leaves 0, and the plan's quota applies without an override", async () => {
  await using service = await startService()
  await setPlan(service.ctx, { name: 'starter', daily_quota: 3 })
  const merchant = await service.tenant()
  for (let n = 0; n < 3; n += 1) await merchant.post('/v1/verifications', plain)
  expect((await merchant.get('/v1/usage')).body).toMatchObject({ daily_quota: 3, remaining: 0 })
  expect((await merchant.post('/v1/verifications', plain)).status).toBe(429)

  await setQuota(service.ctx, { tenant_id: merchant.tenant_id, daily_quota: 1 })

  expect((await merchant.get('/v1/usage')).body).toMatchObject({
    daily_quota: 1,
    remaining: 0,
    verifications_created: 3,
  })
  expect(await setQuota(service.ctx, { tenant_id: merchant.tenant_id, daily_quota: null })).toEqual({
    daily_quota: 3,
  })
  await setTenantPlan(service.ctx, { tenant_id: merchant.tenant_id, plan: 'growth' })
  expect((await merchant.get('/v1/usage')).body).toMatchObject({ daily_quota: 50_000, remaining: 49_997 })
  expect((await merchant.post('/v1/verifications', plain)).status).toBe(201)
})

test(
  '[USE-1] [USE-2] recent lists the days with any usage, newest first, at most 30, including today once used',
  { timeout: 60_000 },
  async () => {
    await using service = await startService()
    const merchant = await service.tenant()
    expect((await merchant.get('/v1/usage')).body).toMatchObject({ verifications_created: 0, recent: [] })

    for (let day = 0; day < 33; day += 1) {
      if (day === 5) continue
      await setClockOffset(service.ctx.db, `${day} days`)
      await makePartitionsAhead(service.ctx.db)
      await merchant.post('/v1/verifications', plain)
    }

    const { body } = await merchant.get('/v1/usage')
    const days = body.recent.map(({ day }: { day: string }) => day)
    expect(Object.keys(body).toSorted()).toEqual([
      'daily_quota',
      'day',
      'recent',
      'remaining',
      'verifications_created',
    ])
    expect(days).toHaveLength(30)
    expect(days).toEqual(days.toSorted().toReversed())
    expect(days[0]).toBe(body.day)
  },
)

test('[USE-3] erasing a verification does not lower the usage', async () => {
  await using service = await startService()
  const merchant = await service.tenant({ daily_quota: 1 })
  const { body } = await merchant.post('/v1/verifications', plain)
  await merchant.delete(`/v1/verifications/${body.id}`)

  expect((await merchant.get('/v1/usage')).body).toMatchObject({ verifications_created: 1, remaining: 0 })
  expect((await merchant.post('/v1/verifications', plain)).status).toBe(429)
})
