import type { Figures } from '@vidimus/contract'
import { expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { pairDevice } from '../../../test/pair-device.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { signIn } from '../../../test/sign-in/browser.ts'
import { waitUntil } from '../../../test/wait-until.ts'
import { openWallet } from '../../../test/wallet.ts'
import { sql } from '../../engine/db/sql.ts'
import { countPastDays, countToday } from './count-past-days.ts'
import { getVerificationFigures } from './get-figures.ts'
import { maxCounted } from './store.ts'

type Behaviour = 'responds' | 'declines'

async function openShop(service: Service) {
  const merchant = await service.tenant({ daily_quota: 1_000_000 })
  const create = async (template = 'age_over_18', by: Pick<Merchant, 'post'> = merchant) =>
    (await by.post('/v1/verifications', { template })).body
  return {
    merchant,
    create,
    async respond({ wallet_uri }: { wallet_uri: string }, behaviour: Behaviour = 'responds') {
      await (await openWallet(service.ctx, service.address, { behaviour })).respond(wallet_uri)
    },
    figures: (query: { days?: '7' | '30' | '90'; template?: string; device_id?: string } = {}) =>
      getVerificationFigures(
        service.ctx,
        { tenant_id: merchant.tenant_id, environment: 'test' },
        { days: '7', ...query },
      ),
  }
}

const sum = ({ days }: Pick<Figures, 'days'>) => days.reduce((total, { created }) => total + created, 0)

test('figures count each verification once by its outcome, per day, and split by template and device', async () => {
  await using service = await startService()
  const shop = await openShop(service)
  const { id, device } = await pairDevice(service, shop.merchant, {
    name: 'Bar',
    allowed_templates: ['age_over_18'],
  })
  await shop.respond(await shop.create())
  await shop.respond(await shop.create('age_over_21'), 'declines')
  await shop.respond(await shop.create('age_over_18', device))
  await shop.create()

  const all = await shop.figures()
  expect(all.total).toMatchObject({
    created: 4,
    completed: 2,
    declined: 1,
    failed: 0,
    expired: 0,
    pending: 1,
  })
  expect(all.total.opened).toBeGreaterThanOrEqual(3)
  expect(all.total.median_seconds).toBeGreaterThan(0)
  expect(all.total.p95_seconds).toBeGreaterThanOrEqual(all.total.median_seconds ?? 0)
  expect([all.days.length, all.days.at(-1)?.created, sum(all), all.sampled]).toEqual([7, 4, 4, false])
  expect(all.top_failures).toEqual([{ code: 'holder_declined', count: 1 }])
  expect(all.templates).toEqual([
    { key: 'age_over_18', created: 3 },
    { key: 'age_over_21', created: 1 },
  ])
  expect(all.devices).toEqual([{ id, created: 1 }])
  expect((await shop.figures({ template: 'age_over_21' })).total).toMatchObject({ created: 1, declined: 1 })
  expect((await shop.figures({ device_id: id })).total).toMatchObject({ created: 1, completed: 1 })
  const both = await shop.figures({ device_id: id, template: 'age_over_21' })
  expect(both.total.created).toBe(0)

  const owner = await signIn(service, shop.merchant)
  const shown = await owner.call('getFigures', { params: { environment: 'test' }, query: { days: '30' } })
  expect(shown.body.devices).toEqual([{ id, name: 'Bar', created: 1 }])
  expect(shown.body.days).toHaveLength(30)
  for (const query of [{ days: '8' }, { days: '' }, { device_id: 'x' }, { other: '1' }] as Record<
    string,
    string
  >[])
    expect((await owner.call('getFigures', { params: { environment: 'test' }, query })).status).toBe(400)
  const live = await owner.call('getFigures', { params: { environment: 'live' } })
  expect(live.body.total.created).toBe(0)
})

test('counting a day in advance changes no figure, and neither does an erasure before or after', async () => {
  await using service = await startService()
  const { ctx } = service
  const shop = await openShop(service)
  const { device } = await pairDevice(service, shop.merchant)
  const verifications = [await shop.create(), await shop.create('age_over_18', device), await shop.create()]
  await shop.respond(verifications[0])
  await shop.respond(verifications[1], 'declines')
  await setClockOffset(ctx.db, '2 hours')
  const figures = async () => {
    const found = [
      await shop.figures({ days: '30' }),
      await shop.figures({ days: '30', template: 'age_over_18' }),
      await shop.figures({ days: '30', device_id: verifications[1].device_id ?? undefined }),
    ]
    return found.map(({ total, top_failures, templates, devices }) => ({
      total,
      top_failures,
      templates,
      devices,
    }))
  }
  const before = await figures()
  expect(before[0]?.total).toMatchObject({ created: 3, completed: 1, declined: 1, expired: 1 })

  expect((await shop.merchant.delete(`/v1/verifications/${verifications[0].id}`)).status).toBe(200)
  expect(await figures()).toEqual(before)

  await setClockOffset(ctx.db, '2 days')
  await Promise.all([countPastDays(ctx), countPastDays(ctx)])
  const [progress] = await ctx.db.query<{ days: number }>(
    sql`select service_day() - through as days from outcome_progress`,
  )
  expect(progress?.days).toBeGreaterThanOrEqual(1)
  expect(progress?.days).toBeLessThanOrEqual(2)
  expect(await figures()).toEqual(before)
  expect(await ctx.db.query(sql`select 1 as left from erased_outcomes`)).toEqual([])

  expect((await shop.merchant.delete(`/v1/verifications/${verifications[1].id}`)).status).toBe(200)
  await countPastDays(ctx)
  expect(await figures()).toEqual(before)
  expect(await ctx.db.query(sql`select 1 as left from erased_outcomes`)).toEqual([])
})

test('an open verification that is erased counts as one that nobody answered', async () => {
  await using service = await startService()
  const shop = await openShop(service)
  const { id } = await shop.create()
  await shop.merchant.delete(`/v1/verifications/${id}`)

  expect((await shop.figures()).total).toMatchObject({ created: 1, expired: 1, pending: 0, opened: 0 })
})

test('what stays of an erased verification names neither it nor anybody', async () => {
  await using service = await startService()
  const shop = await openShop(service)
  const canary = 'canary-7f3a'
  const { body } = await shop.merchant.post('/v1/verifications', {
    template: 'age_over_18',
    purpose: canary,
    metadata: { order: canary },
  })
  await shop.merchant.delete(`/v1/verifications/${body.id}`)
  await setClockOffset(service.ctx.db, '3 days')
  await countPastDays(service.ctx)

  const rows = await service.ctx.db.query<{ row: string }>(sql`
    select to_jsonb(c)::text as row from outcome_counts c union all select to_jsonb(e)::text from erased_outcomes e`)
  expect(rows.length).toBeGreaterThan(0)
  for (const { row } of rows) {
    expect(row).not.toContain(canary)
    expect(row).not.toContain(body.id)
  }
})

test('figures are those of one tenant and environment, and old ones are deleted', async () => {
  await using service = await startService()
  const [one, other] = [await openShop(service), await openShop(service)]
  const live = await one.merchant.as({ environment: 'live' })
  await one.create()
  await live.post('/v1/verifications', { template: 'age_over_18' })
  await other.create('age_over_21')
  for (const offset of ['0 days', '2 days']) {
    await setClockOffset(service.ctx.db, offset)
    await countPastDays(service.ctx)
    const [mine, theirs] = [await one.figures(), await other.figures()]
    expect([mine.total.created, theirs.total.created]).toEqual([1, 1])
    expect([mine.templates, theirs.templates].map(([first]) => first?.key)).toEqual([
      'age_over_18',
      'age_over_21',
    ])
  }
  await setClockOffset(service.ctx.db, '95 days')
  await countPastDays(service.ctx)
  expect(await service.ctx.db.query(sql`select 1 as left from outcome_counts`)).toEqual([])
})

test('90 days of a million verifications read a few rows a day once they are counted', async () => {
  await using service = await startService()
  const shop = await openShop(service)
  const { tenant_id } = shop.merchant
  await service.ctx.db.execute(sql`
    insert into outcome_counts
    select ${tenant_id}, 'test', false, false, '', '00000000-0000-0000-0000-000000000000', service_day() - n, outcome, '', true,
      bucket, 100
    from generate_series(1, 89) n, unnest(array['completed', 'failed', 'declined', 'expired']) outcome,
      generate_series(1, 30) bucket`)
  await service.ctx.db.execute(sql`update outcome_progress set through = service_day() - 1`)

  const started = performance.now()
  const { total, days } = await shop.figures({ days: '90' })

  expect([total.created, days.length]).toEqual([89 * 4 * 30 * 100, 90])
  expect(performance.now() - started).toBeLessThan(2000)
})

/** Verifications of today: of three, one was completed, one failed and one expired. */
async function insertVerifications(
  { ctx: { db } }: Service,
  { tenant_id, environment, count }: { tenant_id: string; environment: string; count: number },
): Promise<void> {
  await db.execute(sql`
    insert into verification_sessions
      (day, id, tenant_id, environment, status, template, error, certificate, created_at, expires_at, responded_at)
    select service_day(), 'vs_0' || ${environment}::text || left(${tenant_id}::text, 8) || number, ${tenant_id}::uuid, ${environment},
      (array['pending', 'completed', 'failed'])[1 + number % 3], 'template_' || number % 2,
      case when number % 3 = 2 then '{"code": "issuer_not_trusted", "message": "x"}'::jsonb end, '\\x00', at,
      at + interval '5 minutes', case when number % 3 > 0 then at + make_interval(secs => number % 60) end
    from generate_series(1, ${count}::integer) as number
    cross join lateral (select service_now() - interval '30 minutes' - number * interval '1 millisecond') as made (at)`)
  await db.execute(sql`
    update tenant_usage set used = used + ${count}::integer where tenant_id = ${tenant_id} and day = service_day()`)
}

test('all verifications of a large tenant are in its figures of today, whether or not they were counted in advance', async () => {
  await using service = await startService()
  const { db } = service.ctx
  const [large, other] = [await openShop(service), await openShop(service)]
  const live = await large.merchant.as({ environment: 'live' })
  for (const shop of [large, other]) await shop.respond(await shop.create())
  await live.post('/v1/verifications', { template: 'age_over_18' })
  const { tenant_id } = large.merchant
  const count = 2.5 * maxCounted
  await insertVerifications(service, { tenant_id, environment: 'test', count })
  await insertVerifications(service, { tenant_id, environment: 'live', count: 3000 })
  await insertVerifications(service, {
    tenant_id: other.merchant.tenant_id,
    environment: 'test',
    count: 6000,
  })
  const readBoth = async () => {
    const [mine, theirs] = [await large.figures(), await other.figures({ template: 'template_1' })]
    return { mine: { ...mine, sampled: false }, theirs }
  }

  expect((await large.figures()).sampled).toBe(true)
  const uncounted = (await readBoth()).theirs
  await Promise.all([countToday(service.ctx), countToday(service.ctx)])
  const counted = await readBoth()
  expect(counted.mine.total).toMatchObject({
    created: count + 1,
    failed: Math.floor((count + 1) / 3),
    pending: 0,
  })
  expect(counted.mine.templates[0]).toEqual({ key: 'template_0', created: count / 2 })
  expect((await large.figures()).sampled).toBe(false)
  expect(counted.theirs).toEqual(uncounted)
  expect(counted.theirs.total.created).toBe(3000)

  // A response and a creation afterwards, and erasures of what was counted and of what was not.
  const late = await large.create()
  const erased = [`vs_0test${tenant_id.slice(0, 8)}5`, late.id]
  await db.execute(sql`delete from verification_sessions where id = any(${erased})`)
  await countToday(service.ctx)
  const after = await readBoth()
  expect(after.mine.total.created).toBe(count + 2)
  expect(after.mine.total.failed).toBe(counted.mine.total.failed)

  await setClockOffset(db, '2 days')
  const { total } = await large.figures()
  await countPastDays(service.ctx)
  expect((await large.figures()).total).toEqual(total)
  expect(total).toMatchObject({ created: count + 2, failed: after.mine.total.failed })
  expect(await db.query(sql`select 1 as left from outcome_parts`)).toEqual([])
})

test('a verification that can still change is not counted in advance, nor any that follows it', async () => {
  await using service = await startService()
  const shop = await openShop(service)
  const open = await shop.create()
  const { tenant_id } = shop.merchant
  await insertVerifications(service, { tenant_id, environment: 'test', count: 5000 })
  await service.ctx.db.execute(sql`
    update verification_sessions set created_at = service_now() - interval '30 minutes 3 seconds' where id = ${open.id}`)

  await countToday(service.ctx)
  expect((await shop.figures()).total).toMatchObject({ created: 5001, pending: 1 })
  await shop.respond(open)
  expect((await shop.figures()).total).toMatchObject({ created: 5001, pending: 0 })
})

test('a verification that is erased while it is counted is counted once', async () => {
  await using service = await startService()
  const shop = await openShop(service)
  await shop.create()
  const { tenant_id } = shop.merchant
  await insertVerifications(service, { tenant_id, environment: 'test', count: 6000 })
  const { db } = service.ctx
  const isWaiting = async () => {
    const waiting = await db.query(sql`
      select 1 as found from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`)
    return waiting.length > 0
  }
  let counting = Promise.resolve()
  await db.transaction(async (tx) => {
    await tx.execute(sql`delete from verification_sessions where id = ${`vs_0test${tenant_id.slice(0, 8)}7`}`)
    let counted = false
    counting = countToday(service.ctx).then(() => void (counted = true))
    await waitUntil(async () => counted || (await isWaiting()))
  })
  await counting
  expect((await shop.figures()).total).toMatchObject({ created: 6001, completed: 2000, failed: 2000 })
})
