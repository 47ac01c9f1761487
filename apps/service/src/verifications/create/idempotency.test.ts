import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { sql } from '../../engine/db/sql.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const plain = { template: 'age_over_18' }

function create(merchant: Pick<Merchant, 'post'>, key: string, body: unknown = plain) {
  return merchant.post('/v1/verifications', body, { headers: { 'idempotency-key': key } })
}

test('[IDEM-1] a key is 1-255 printable ASCII characters without spaces', async () => {
  const merchant = await service.tenant()

  for (const key of ['a', '~'.repeat(255), '"quoted"', '!#$%&', randomUUID()]) {
    expect([key, (await create(merchant, key)).status]).toEqual([key, 201])
  }
  for (const key of ['', 'a'.repeat(256), 'a b', 'ä', 'tab\there', '\u00a0']) {
    const { status, body } = await create(merchant, key)
    expect([key, status, body.error.code]).toEqual([key, 400, 'invalid_idempotency_key'])
  }
})

test('[IDEM-2] the same key and body replay the first response, byte for byte, and count nothing', async () => {
  const merchant = await service.tenant()
  const body = { ...plain, purpose: 'why "not" 😀', metadata: { a: 'b' } }

  const first = await create(merchant, 'k', body)
  const again = await create(merchant, 'k', body)

  expect([first.status, again.status]).toEqual([201, 201])
  expect(again.text).toBe(first.text)
  expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([
    null,
    'true',
  ])
  expect((await merchant.get('/v1/usage')).body.verifications_created).toBe(1)
  expect((await merchant.get('/v1/verifications')).body.data).toHaveLength(1)
})

test('[IDEM-4] the same key with a different body is refused; a different spelling of the same body is not', async () => {
  const merchant = await service.tenant()
  const raw = (text: string) =>
    merchant.request('POST', '/v1/verifications', { raw: text, headers: { 'idempotency-key': 'k' } })

  const first = await raw('{"template":"age_over_18","metadata":{"a":"1","b":"2"}}')
  const respelled = await raw('{ "metadata": {"b":"2",\n"\\u0061":"1"}, "template":"age_over_18" }')
  const longer = await raw('{"template":"age_over_18","metadata":{"a":"1","b":"2"},"ttl_seconds":300}')

  expect(respelled.text).toBe(first.text)
  expect([longer.status, longer.body.error.code]).toEqual([422, 'idempotency_key_reused'])
})

test('[IDEM-5] equal keys of another tenant or environment are unrelated', async () => {
  await using own = await startService()
  const one = await own.tenant()
  const other = await own.tenant()
  const live = await one.as({ environment: 'live' })

  const responses = [await create(one, 'k'), await create(other, 'k'), await create(live, 'k')]

  expect(responses.map(({ status }) => status)).toEqual([201, 201, 201])
  expect(new Set(responses.map(({ body }) => body.id)).size).toBe(3)
})

test('[IDEM-6] a refused request does not use up its key', async () => {
  const merchant = await service.tenant()

  expect((await create(merchant, 'k', {})).status).toBe(400)
  expect((await create(merchant, 'k', { template: 'no_such' })).status).toBe(422)
  expect((await create(merchant, 'k', { ...plain, webhook_url: 'http://127.0.0.1/' })).status).toBe(422)
  expect((await create(merchant, 'k')).status).toBe(201)

  const poor = await service.tenant({ daily_quota: 0 })
  expect((await create(poor, 'k')).status).toBe(429)
  await service.ctx.db.execute(sql`update tenants set daily_quota = 1 where id = ${poor.tenant_id}`)
  expect((await create(poor, 'k')).status).toBe(201)
})

test('the key is free again after 24 hours, and no sooner', async () => {
  await using own = await startService()
  const merchant = await own.tenant()
  const first = await create(merchant, 'k')

  await setClockOffset(own.ctx.db, '23 hours 59 minutes 50 seconds')
  expect((await create(merchant, 'k')).text).toBe(first.text)
  await setClockOffset(own.ctx.db, '24 hours')
  const second = await create(merchant, 'k')

  expect(second.status).toBe(201)
  expect(second.body.id).not.toBe(first.body.id)
  expect((await create(merchant, 'k')).text).toBe(second.text)
})

test('after an erasure the key creates nothing and reveals nothing', async () => {
  await using own = await startService()
  const merchant = await own.tenant()
  const canary = randomUUID()
  const first = await create(merchant, 'k', { ...plain, purpose: canary })
  await merchant.delete(`/v1/verifications/${first.body.id}`)

  const { status, body } = await create(merchant, 'k', { ...plain, purpose: canary })

  expect([status, body.error.code]).toEqual([422, 'idempotency_key_reused'])
  expect((await merchant.get('/v1/usage')).body.verifications_created).toBe(1)
  const rows = await own.ctx.db.query(sql`select response, verification_id from idempotency_keys`)
  expect(rows).toEqual([{ response: null, verification_id: null }])
})

test('[IDEM-11] replay and reuse take precedence over template, webhook and quota', async () => {
  const merchant = await service.tenant({ daily_quota: 1 })
  const first = await create(merchant, 'k')

  expect((await create(merchant, 'other')).status).toBe(429)
  expect((await create(merchant, 'k')).text).toBe(first.text)
  for (const body of [{ template: 'no_such' }, { ...plain, webhook_url: 'http://127.0.0.1/' }]) {
    expect((await create(merchant, 'k', body)).body.error.code).toBe('idempotency_key_reused')
  }
})

test('[IDEM-3] a retry while the first request is running gets 409 with Retry-After', async () => {
  const merchant = await service.tenant()
  const [first, ...others] = await Promise.all(Array.from({ length: 10 }, () => create(merchant, 'k')))
  const responses = [first, ...others].filter((response) => response !== undefined)

  const inFlight = responses.filter(({ status }) => status === 409)
  expect(inFlight.length).toBeGreaterThan(0)
  for (const { body, headers } of inFlight) {
    expect([body.error.code, headers.get('retry-after')]).toEqual(['idempotency_key_in_flight', '5'])
  }
})
