import { afterAll, beforeAll, expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { pairDevice } from '../../../test/pair-device.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { respondUntilAccepted } from '../../../test/respond-until-accepted.ts'
import { makePartitionsAhead } from '../../engine/db/schema/partitions.ts'
import { sql } from '../../engine/db/sql.ts'
import { newVerificationId } from '../../engine/basics/ids.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

type Page = { data: { id: string; created_at: string }[]; next_before?: string }

const list = async (merchant: Pick<Merchant, 'get'>, query: Record<string, string>): Promise<Page> =>
  (await merchant.get(`/v1/verifications?${new URLSearchParams(query).toString()}`)).body

const ids = async (merchant: Pick<Merchant, 'get'>, query: Record<string, string>) =>
  (await list(merchant, query)).data.map(({ id }) => id)

const create = async (merchant: Merchant, template = 'age_over_18') =>
  (await merchant.post('/v1/verifications', { template, ttl_seconds: 60 })).body

test('status, template and times restrict the list, alone and together', async () => {
  const merchant = await service.tenant()
  const first = await create(merchant)
  const second = await create(merchant, 'identity_basic')
  await respondUntilAccepted(service, first.wallet_uri)
  const third = await create(merchant)

  expect(await ids(merchant, { status: 'completed' })).toEqual([first.id])
  expect(await ids(merchant, { status: 'pending' })).toEqual([third.id, second.id])
  expect(await ids(merchant, { template: 'age_over_18' })).toEqual([third.id, first.id])
  expect(await ids(merchant, { template: 'age_over_18', status: 'pending' })).toEqual([third.id])
  expect(await ids(merchant, { template: 'age_over' })).toEqual([])
  expect(await ids(merchant, { created_after: first.created_at })).toEqual([third.id, second.id])
  expect(await ids(merchant, { created_before: third.created_at })).toEqual([second.id, first.id])
  expect(await ids(merchant, { created_after: first.created_at, created_before: third.created_at })).toEqual([
    second.id,
  ])
  expect(await ids(merchant, { created_before: third.created_at, before: second.created_at })).toEqual([
    first.id,
  ])
  expect(await ids(merchant, { created_before: second.created_at, before: third.created_at })).toEqual([
    first.id,
  ])
  const claims = (await list(merchant, { status: 'completed' })).data
  expect(claims).toMatchObject([{ claims: { age_over_18: true } }])
})

test('a filter by status sees what reads show: expired at once, and pending while a result is held back', async () => {
  await using own = await startService()
  const merchant = await own.tenant()
  const { id } = await create(merchant)
  await own.ctx.db.execute(sql`update tenants set hold_back = true where id = ${merchant.tenant_id}`)
  const held = (
    await merchant.post('/v1/verifications', {
      template: 'age_over_18',
      ttl_seconds: 3600,
      redirect_url: 'https://shop.example/back',
    })
  ).body
  await respondUntilAccepted(own, held.wallet_uri)
  expect(await ids(merchant, { status: 'completed' })).toEqual([])
  expect(await ids(merchant, { status: 'pending' })).toEqual([held.id, id])
  await setClockOffset(own.ctx.db, '2 minutes')
  expect(await ids(merchant, { status: 'expired' })).toEqual([id])
  expect(await ids(merchant, { status: 'pending' })).toEqual([held.id])
})

test.each([
  'status=done',
  'status=',
  'status=pending&status=failed',
  'template=',
  `template=${'x'.repeat(65)}`,
  'created_after=yesterday',
  'created_after=2026-01-01',
  'created_before=2026-01-01T00:00:00%2B01:00',
  'created_at=2026-01-01T00:00:00Z',
])('?%s is refused', async (query) => {
  const merchant = await service.tenant()
  const { status, body } = await merchant.get(`/v1/verifications?${query}`)
  expect([status, body.error?.code]).toEqual([400, 'invalid_request'])
})

test('a device and another tenant find only their own by a filter', async () => {
  const merchant = await service.tenant()
  const other = await service.tenant()
  await create(merchant)
  const { device } = await pairDevice(service, merchant)
  const own = (await device.post('/v1/verifications', { template: 'age_over_18' })).body.id
  expect(await ids(device, { template: 'age_over_18' })).toEqual([own])
  expect(await ids(other, { template: 'age_over_18' })).toEqual([])
  expect(await ids(await merchant.as({ environment: 'live' }), { template: 'age_over_18' })).toEqual([])
})

test('[READ-3] paging through sparse matches of 12,000 verifications on three days visits each exactly once', async () => {
  await using own = await startService()
  const { db } = own.ctx
  const merchant = await own.tenant()
  await setClockOffset(db, '3 days')
  await makePartitionsAhead(db)
  const [row] = await db.query<{ today: string }>(sql`select service_day() as today`)
  const today = Date.parse(row?.today ?? '')
  const expected: string[] = []
  for (let daysAgo = 2; daysAgo >= 0; daysAgo -= 1) {
    const day = new Date(today - daysAgo * 86_400_000).toISOString().slice(0, 10)
    const verificationIds = Array.from({ length: 4000 }, () => newVerificationId('0', day))
    expected.unshift(...verificationIds.filter((_, index) => index % 1000 === 999).toReversed())
    await db.execute(sql`
      insert into verification_sessions (day, id, tenant_id, environment, template, certificate, created_at, expires_at)
      select ${day}::date, id, ${merchant.tenant_id}, 'test', case when n % 1000 = 0 then 'rare' else 'common' end,
        decode('00', 'hex'), ${day}::date + n * interval '1 second', ${day}::date + n * interval '1 second'
      from unnest(${verificationIds}::text[]) with ordinality as given (id, n)`)
    await db.execute(sql`
      insert into usage_days (tenant_id, day, used) values (${merchant.tenant_id}, ${day}, 4000)`)
  }
  const found: string[] = []
  let pages = 0
  let query: Record<string, string> | undefined = { template: 'rare', limit: '5' }
  while (query !== undefined) {
    const { data, next_before }: Page = await list(merchant, query)
    found.push(...data.map(({ id }) => id))
    pages += 1
    query = next_before === undefined ? undefined : { ...query, before: next_before }
  }
  expect(found).toEqual(expected)
  expect(pages).toBeGreaterThan(2)
  expect((await list(merchant, { template: 'none' })).data).toEqual([])
  expect((await list(merchant, { limit: '100' })).next_before).toBeUndefined()
})

test('a page of filtered verifications with large claims is refused as a whole, as without a filter', async () => {
  await using own = await startService()
  const { db } = own.ctx
  const merchant = await own.tenant()
  const created = await Promise.all(Array.from({ length: 10 }, () => create(merchant)))
  await db.execute(sql`
    select make_partitions('verification_results', service_day() + 5, service_day() + 5)`)
  await db.execute(sql`
    with answered as (
      update verification_sessions set status = 'completed', responded_at = created_at, purge_day = service_day() + 5
      where tenant_id = ${merchant.tenant_id} returning id, purge_day)
    insert into verification_results (purge_day, verification_id, tenant_id, claims, credentials)
    select purge_day, id, ${merchant.tenant_id}, jsonb_build_object('portrait', repeat('x', 1000000)), '[]' from answered`)
  const refused = await merchant.get('/v1/verifications?status=completed')
  expect([refused.status, refused.body.error?.code]).toEqual([400, 'invalid_request'])
  const page = await list(merchant, { status: 'completed', limit: '5' })
  expect(page.data).toHaveLength(5)
  expect(page.next_before).toBe(page.data.at(-1)?.created_at)
  expect(created).toHaveLength(10)
})
