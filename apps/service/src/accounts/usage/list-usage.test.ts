import { expect, test } from 'vitest'
import { readAuditLog } from '../../../test/audit/audit.ts'
import { setClockOffset } from '../../../test/database/clock.ts'
import { startService, type Service } from '../../../test/service.ts'
import { openWallet } from '../../../test/wallet.ts'
import { flushAudit } from '../../audit/advance.ts'
import { makePartitionsAhead } from '../../engine/db/schema/partitions.ts'
import { sql } from '../../engine/db/sql.ts'
import { countPastDays, countToday } from '../../verifications/figures/count-past-days.ts'
import { deleteTenant } from '../tenants/delete.ts'
import { type ListUsage, type UsageEntry, listUsage } from './list-usage.ts'
import { usageKept_days } from './store.ts'

const plain = { template: 'age_over_18' }

async function collect({ ctx }: Service, list: ListUsage): Promise<UsageEntry[]> {
  const entries: UsageEntry[] = []
  for await (const entry of listUsage(ctx, list)) entries.push(entry)
  return entries
}

/** What the clock is set by, so that it is noon: a day is final two hours after its end. */
async function untilNoon({ ctx: { db } }: Service): Promise<string> {
  const [row] = await db.query<{ left: string }>(sql`
    select (time '12:00' - (clock_timestamp() at time zone 'UTC')::time)::text as left`)
  return row?.left ?? ''
}

async function today({ ctx: { db } }: Service): Promise<string> {
  const [row] = await db.query<{ day: string }>(sql`select service_day() as day`)
  return row?.day ?? ''
}

const sumCreated = (entries: readonly UsageEntry[]) =>
  entries.reduce((total, { created }) => total + created, 0)

test(
  'the sum of the usage is what was created, what the quotas counted, and what the audit log has',
  { timeout: 120_000 },
  async () => {
    await using service = await startService()
    const { ctx } = service
    const noon = await untilNoon(service)
    await setClockOffset(ctx.db, noon)
    const first_day = await today(service)
    const tenants = [await service.tenant(), await service.tenant()]
    let created = 0
    for (const [day, offset] of ['0 days', '1 day', '2 days'].entries()) {
      await setClockOffset(ctx.db, `${offset} ${noon}`)
      await makePartitionsAhead(ctx.db)
      for (const merchant of tenants) {
        const live = await merchant.as({ environment: 'live' })
        const wallet = await openWallet(ctx, service.address)
        for (const by of [merchant, merchant, merchant, live]) {
          const { body } = await by.post('/v1/verifications', plain)
          created += 1
          if (by === merchant && created % 2 === 0) await wallet.respond(body.wallet_uri)
          if (created % 3 === 0) await by.delete(`/v1/verifications/${body.id}`)
        }
      }
      if (day === 1) await countPastDays(ctx)
      if (day === 2) await countToday(ctx)
    }
    const period = { from: first_day, to: await today(service) }

    const entries = await collect(service, period)
    const byDay = await collect(service, { ...period, by_day: true })

    expect([entries.length, byDay.length]).toEqual([4, 12])
    expect(created).toBe(24)
    expect([sumCreated(entries), sumCreated(byDay)]).toEqual([created, created])
    for (const { created: all, completed, failed, declined, expired, pending } of byDay)
      expect(completed + failed + declined + expired + pending).toBe(all)
    expect(entries.filter(({ environment }) => environment === 'live').map((entry) => entry.created)).toEqual(
      [3, 3],
    )
    expect(byDay.map(({ day, final }) => [day, final])).toEqual(
      byDay.map(({ day }) => [day, day === first_day]),
    )
    const [quota] = await ctx.db.query<{ used: number }>(sql`
    select (select sum(used) from usage_days) + (select sum(used) from tenant_usage where used > 0) as used`)
    expect(quota?.used).toBe(created)
    let recorded = 0
    for (const { tenant_id } of tenants) {
      await flushAudit(ctx, tenant_id)
      recorded += (await readAuditLog(ctx, tenant_id)).filter(
        ({ action }) => action === 'verification.created',
      ).length
    }
    expect(recorded).toBe(created)

    // Counting the other days changes no number but what has expired meanwhile.
    await setClockOffset(ctx.db, '5 days')
    await Promise.all([countPastDays(ctx), countPastDays(ctx)])
    const counted = await collect(service, { ...period, by_day: true })
    expect(counted.map(({ final, pending }) => [final, pending])).toEqual(byDay.map(() => [true, 0]))
    expect(counted.map((entry) => [entry.created, entry.completed])).toEqual(
      byDay.map((entry) => [entry.created, entry.completed]),
    )
  },
)

test(
  'the usage of a deleted tenant is kept, also of the day of its deletion, and does not change',
  { timeout: 120_000 },
  async () => {
    await using service = await startService()
    const { ctx } = service
    const [merchant, other] = [await service.tenant(), await service.tenant()]
    const wallet = await openWallet(ctx, service.address)
    for (const by of [merchant, other]) {
      await wallet.respond((await by.post('/v1/verifications', plain)).body.wallet_uri)
      await by.post('/v1/verifications', plain)
      await by.delete(`/v1/verifications/${(await by.post('/v1/verifications', plain)).body.id}`)
    }
    const day = await today(service)
    const late = Array.from({ length: 20 }, () => merchant.post('/v1/verifications', plain))
    await deleteTenant(ctx, { tenant_id: merchant.tenant_id, name: 'A merchant' })
    const made = (await Promise.all(late)).filter(({ status }) => status === 201).length
    const list = { from: day, to: day, tenant_id: merchant.tenant_id }

    const kept = await collect(service, list)
    expect(kept).toMatchObject([
      { environment: 'test', created: 3 + made, completed: 1, expired: 2 + made, pending: 0, final: true },
    ])
    expect(kept[0]?.name).toBeUndefined()
    await setClockOffset(ctx.db, '3 days')
    await countPastDays(ctx)
    expect(await collect(service, list)).toEqual(kept)
    expect(sumCreated(await collect(service, { from: day, to: day }))).toBe(3 + made + 3)

    await setClockOffset(ctx.db, `${usageKept_days + 2} days`)
    await makePartitionsAhead(ctx.db)
    await countPastDays(ctx)
    expect(await ctx.db.query(sql`select 1 as left from usage_counts`)).toEqual([])
  },
)

test('a period is bounded', async () => {
  await using service = await startService()
  for (const [from, to] of [
    ['2026-01-02', '2026-01-01'],
    ['2026-01-01', '2027-01-02'],
  ] as const)
    await expect(collect(service, { from, to })).rejects.toThrow('1-366 days')
})
