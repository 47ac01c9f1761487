import { afterAll, beforeAll, expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { pairDevice } from '../../../test/pair-device.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { signIn } from '../../../test/sign-in/browser.ts'
import type { Db } from '../../engine/db/index.ts'
import { makePartitionsAhead } from '../../engine/db/schema/partitions.ts'
import { sql } from '../../engine/db/sql.ts'
import { dropOldDays } from '../retention/expire.ts'
import { indexVerifications, maxIndexedAtOnce } from './index-verifications.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

type Caller = Pick<Merchant, 'get'>

async function find(merchant: Caller, query: Record<string, string>): Promise<string[]> {
  const { body } = await merchant.get(`/v1/verifications?${new URLSearchParams(query).toString()}`)
  return body.data.map(({ id }: { id: string }) => id)
}

const create = async (merchant: Pick<Merchant, 'post'>, metadata?: Record<string, string>) =>
  (await merchant.post('/v1/verifications', { template: 'age_over_18', metadata })).body

/** The index as it is right after a creation, and after the worker. */
const states = [
  ['before the worker has indexed it', async () => undefined],
  ['after the worker has indexed it', () => indexVerifications(service.ctx)],
] as const

test.each(states)(
  '[READ-9] a verification is found by names and values of its metadata, %s',
  async (_, index) => {
    const merchant = await service.tenant()
    const first = await create(merchant, { order: 'W-4711', channel: 'web' })
    const second = await create(merchant, { order: 'W-4712', channel: 'web' })
    const third = await create(merchant, { order: 'web', channel: 'web' })
    await create(merchant, { Order: 'W-4711' })
    await create(merchant)
    await index()

    expect(await find(merchant, { 'metadata[order]': 'W-4711' })).toEqual([first.id])
    expect(await find(merchant, { 'metadata[order]': 'w-4711' })).toEqual([])
    expect(await find(merchant, { 'metadata[order]': 'W-471' })).toEqual([])
    expect(await find(merchant, { 'metadata[channel]': 'web' })).toEqual([third.id, second.id, first.id])
    expect(await find(merchant, { 'metadata[channel]': 'web', 'metadata[order]': 'W-4712' })).toEqual([
      second.id,
    ])
    expect(await find(merchant, { 'metadata[channel]': 'app', 'metadata[order]': 'W-4712' })).toEqual([])
    expect(await find(merchant, { 'metadata[channel]': 'web', status: 'completed' })).toEqual([])
    expect(await find(merchant, { 'metadata[channel]': 'web', created_after: first.created_at })).toEqual([
      third.id,
      second.id,
    ])
    expect(await find(merchant, { 'metadata[channel]': 'web', limit: '2' })).toEqual([third.id, second.id])
    expect(
      await find(merchant, { 'metadata[channel]': 'web', limit: '2', before: second.created_at }),
    ).toEqual([first.id])
  },
)

test.each(states)(
  'another tenant, the other environment and another device find nothing, %s',
  async (_, index) => {
    const [merchant, other] = [await service.tenant(), await service.tenant()]
    const live = await merchant.as({ environment: 'live' })
    const query = { 'metadata[order]': 'W-1' }
    const { device } = await pairDevice(service, merchant)
    const own = await create(device, { order: 'W-1' })
    await create(other, { order: 'W-2' })
    await index()
    expect(await find(merchant, query)).toEqual([own.id])
    expect(await find(device, query)).toEqual([own.id])
    const { device: otherDevice } = await pairDevice(service, merchant)
    for (const caller of [other, live, otherDevice]) expect(await find(caller, query)).toEqual([])
  },
)

test.each([
  ['metadata=W-1', 'metadata: expected record'],
  ['metadata=W-1&metadata[order]=W-1', 'metadata: expected record'],
  ['metadata[order]=1&metadata[order]=2', 'metadata.order: expected string'],
  [`metadata[order]=${'x'.repeat(1025)}`, 'metadata.order: must have 0-1024 characters'],
  [`metadata[${'x'.repeat(1025)}]=1`, 'metadata.'],
  ['metadata[a]=%00', 'metadata.a: must be valid Unicode without NUL'],
  [
    Array.from({ length: 6 }, (_, n) => `metadata[${n}]=x`).join('&'),
    'metadata: must have 1-5 members, such as metadata[order]=A-1001',
  ],
  ['metadata[__proto__]=x', ''],
  ['metadat[order]=1', 'Unknown field "metadat[order]".'],
  ['limit[a]=1', 'Unknown field "limit[a]"'],
])('[READ-9] ?%s is refused', async (query, message) => {
  const merchant = await service.tenant()
  const { status, body } = await merchant.get(`/v1/verifications?${query.slice(0, 4000)}`)
  expect([status, body.error?.code]).toEqual([400, 'invalid_request'])
  expect(body.error.message).toContain(message)
})

test('a name or value with brackets, equals signs or quotes is found as it is', async () => {
  const merchant = await service.tenant()
  const metadata = { 'a[b]=c"\\': '"=[]&+ %\u{1F600}', '': 'empty name', 'empty value': '' }
  const { id } = await create(merchant, metadata)
  await indexVerifications(service.ctx)
  for (const [name, value] of Object.entries(metadata))
    expect([name, await find(merchant, { [`metadata[${name}]`]: value })]).toEqual([name, [id]])
})

test('a verification with the same hash but another value is not shown', async () => {
  const merchant = await service.tenant()
  const { id } = await create(merchant, { order: 'W-1' })
  await indexVerifications(service.ctx)
  await service.ctx.db.execute(sql`
    insert into verification_metadata (day, tenant_id, hash, created_at)
    select day, tenant_id, metadata_hash('test', 'W-2'), created_at from verification_metadata
    where tenant_id = ${merchant.tenant_id}`)
  const owner = await signIn(service, merchant)
  const search = async (text: string) =>
    (await owner.call('search', { params: { environment: 'test' }, query: { text } })).body.verifications
  expect(await find(merchant, { 'metadata[order]': 'W-2' })).toEqual([])
  expect(await search('W-2')).toEqual([])
  expect(await search('w-1')).toMatchObject([{ id, metadata: { name: 'order', value: 'W-1' } }])
})

const countHashes = async (db: Db, tenant_id: string): Promise<number> => {
  const [row] = await db.query<{ hashes: number }>(sql`
    select count(*) as hashes from verification_metadata where tenant_id = ${tenant_id}`)
  return row?.hashes ?? 0
}

test('[ERASE-2] an erasure leaves no hash of the metadata, whether it was indexed before or is being indexed', async () => {
  const merchant = await service.tenant()
  const { db } = service.ctx
  const erased = await create(merchant, { order: 'W-1', again: 'W-1', customer: 'Ada' })
  const kept = await create(merchant, { order: 'W-1' })
  await indexVerifications(service.ctx)
  expect(await countHashes(db, merchant.tenant_id)).toBe(3)
  await merchant.delete(`/v1/verifications/${erased.id}`)
  expect(await countHashes(db, merchant.tenant_id)).toBe(1)
  expect(await find(merchant, { 'metadata[order]': 'W-1' })).toEqual([kept.id])

  const other = await service.tenant()
  const { id } = await create(other, { order: 'W-1' })
  let erasure: Promise<unknown> | undefined
  await db.transaction(async (tx) => {
    await tx.query(sql`select index_metadata(${other.tenant_id}, 10)`)
    // It cannot see the hash, which is not committed, and waits.
    erasure = other.delete(`/v1/verifications/${id}`)
    await new Promise((resolve) => setTimeout(resolve, 300))
  })
  await erasure
  expect(await countHashes(db, other.tenant_id)).toBe(0)
})

test('a verification of a day without an index is found, indexed in parts, and its hashes go with its day', async () => {
  await using own = await startService()
  const { db } = own.ctx
  const merchant = await own.tenant()
  const first = await create(merchant, { order: 'W-1' })
  await db.execute(sql`
    insert into verification_sessions (day, id, tenant_id, environment, metadata, certificate, created_at, expires_at)
    select service_day(), 'vs_0' || md5(n::text), ${merchant.tenant_id}, case n % 2 when 0 then 'test' else 'live' end,
      jsonb_build_object('order', 'A-' || n), '', ${first.created_at}::timestamptz + n * interval '1 microsecond', service_now()
    from generate_series(1, ${maxIndexedAtOnce + 500}::integer) n`)
  await db.execute(sql`
    update tenant_usage set last_created_at = last_created_at + interval '1 second' where tenant_id = ${merchant.tenant_id}`)
  await setClockOffset(db, '3 days')
  await makePartitionsAhead(db)
  const last = await create(merchant, { order: 'W-1' })
  const both = { 'metadata[order]': 'W-1' }
  expect(await find(merchant, both)).toEqual([last.id, first.id])
  await db.query(sql`select index_metadata(${merchant.tenant_id}, 1000)`)
  expect(await countHashes(db, merchant.tenant_id)).toBe(1000)
  expect(await find(merchant, both)).toEqual([last.id, first.id])
  await indexVerifications(own.ctx)
  expect(await countHashes(db, merchant.tenant_id)).toBe(maxIndexedAtOnce + 502)
  expect(await find(merchant, both)).toEqual([last.id, first.id])
  expect(await find(merchant, { 'metadata[order]': 'A-2' })).toHaveLength(1)

  await setClockOffset(db, '401 days')
  await makePartitionsAhead(db)
  await dropOldDays(own.ctx)
  expect(await countHashes(db, merchant.tenant_id)).toBe(1)
  expect(await find(merchant, both)).toEqual([last.id])
})
