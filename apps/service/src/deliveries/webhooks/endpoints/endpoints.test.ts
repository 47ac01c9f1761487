import { maxWebhookEndpoints } from '@vidimus/contract'
import { afterAll, expect, test } from 'vitest'
import { readAuditLog } from '../../../../test/audit/audit.ts'
import { setClockOffset } from '../../../../test/database/clock.ts'
import { startService, type Merchant } from '../../../../test/service.ts'
import { sql } from '../../../engine/db/sql.ts'
import { readSigningSecrets } from '../secrets/secrets.ts'
import { watchFailingEndpoints } from './watch-failing.ts'

const service = await startService()
afterAll(() => service[Symbol.asyncDispose]())

const path = '/v1/webhook_endpoints'
const input = { url: 'https://8.8.8.8/hook', events: ['verification.completed', 'verification.failed'] }

const create = async (merchant: Merchant, more: object = {}) =>
  (await merchant.post(path, { ...input, ...more })).body

const signing = async ({ tenant_id }: Merchant, endpoint_id: string) =>
  (await readSigningSecrets(service.ctx, [{ tenant_id, environment: 'test', endpoint_id }]))[0]

test('an endpoint is created, read, listed, changed and deleted', async () => {
  const merchant = await service.tenant()
  const created = await merchant.post(path, { ...input, description: 'Orders' })

  expect(created.status).toBe(201)
  expect(created.body).toEqual({
    endpoint: {
      id: expect.stringMatching(/^we_[\w-]{22}$/),
      ...input,
      environment: 'test',
      description: 'Orders',
      enabled: true,
      secret_created_at: expect.any(String),
      created_at: expect.any(String),
    },
    secret: expect.stringMatching(/^whsec_[\w-]{43}$/),
  })
  const { endpoint } = created.body
  expect((await merchant.get(`${path}/${endpoint.id}`)).body).toEqual(endpoint)
  const second = (await create(merchant)).endpoint
  expect((await merchant.get(path)).body).toEqual({ data: [second, endpoint] })

  const changed = await merchant.patch(`${path}/${endpoint.id}`, {
    url: 'https://8.8.4.4/other',
    events: ['verification.expired'],
    enabled: false,
  })
  expect(changed.body).toEqual({
    ...endpoint,
    url: 'https://8.8.4.4/other',
    events: ['verification.expired'],
    enabled: false,
    disabled_reason: 'by_request',
    disabled_at: expect.any(String),
  })
  expect((await merchant.patch(`${path}/${endpoint.id}`, { enabled: true })).body).not.toHaveProperty(
    'disabled_reason',
  )
  expect((await merchant.delete(`${path}/${endpoint.id}`)).status).toBe(200)
  expect((await merchant.get(`${path}/${endpoint.id}`)).status).toBe(404)
  expect((await merchant.delete(`${path}/${endpoint.id}`)).status).toBe(404)
  expect((await merchant.get(path)).body).toEqual({ data: [second] })
})

test.each<[what: string, body: object, status: number, code: string]>([
  ['no URL', { url: undefined }, 400, 'invalid_request'],
  ['not a URL', { url: 'shop' }, 400, 'invalid_request'],
  ['another scheme', { url: 'ftp://8.8.8.8/' }, 422, 'invalid_webhook_url'],
  ['a private address', { url: 'https://10.0.0.1/' }, 422, 'invalid_webhook_url'],
  ['a loopback name', { url: 'http://localhost/' }, 422, 'invalid_webhook_url'],
  ['a password', { url: 'https://user:secret@8.8.8.8/' }, 422, 'invalid_webhook_url'],
  ['no events', { events: [] }, 400, 'invalid_request'],
  ['an unknown event', { events: ['verification.created'] }, 400, 'invalid_request'],
  ['a repeated event', { events: ['verification.failed', 'verification.failed'] }, 400, 'invalid_request'],
  ['a long description', { description: 'x'.repeat(201) }, 400, 'invalid_request'],
  ['an unknown member', { secret: 'whsec_mine' }, 400, 'invalid_request'],
])('an endpoint with %s is refused, also as a change', async (_what, body, status, code) => {
  const merchant = await service.tenant()
  const refused = await merchant.post(path, { ...input, ...body })
  expect([refused.status, refused.body.error.code]).toEqual([status, code])
  expect((await merchant.get(path)).body).toEqual({ data: [] })
  if (Object.values(body).includes(undefined)) return

  const { endpoint } = await create(merchant)
  const unchanged = await merchant.patch(`${path}/${endpoint.id}`, body)
  expect([unchanged.status, unchanged.body.error.code]).toEqual([status, code])
  expect((await merchant.get(`${path}/${endpoint.id}`)).body).toEqual(endpoint)
})

test('an endpoint with plain http is accepted with a warning', async () => {
  const merchant = await service.tenant()
  const plain = await merchant.post(path, { ...input, url: 'http://8.8.8.8/hook' })
  expect(plain.status).toBe(201)
  expect(plain.headers.get('x-service-warning')).toMatch(/^url: http is not encrypted/)
  const changed = await merchant.patch(`${path}/${plain.body.endpoint.id}`, input)
  expect(changed.headers.get('x-service-warning')).toBeNull()
})

test('endpoints belong to a tenant and an environment, and need their scope', async () => {
  const merchant = await service.tenant()
  const { endpoint } = await create(merchant)
  const live = await merchant.as({ environment: 'live' })
  const other = await service.tenant()
  for (const stranger of [live, other]) {
    for (const id of [endpoint.id, 'we_unknown', 'x', `${endpoint.id}A`]) {
      const responses = [
        await stranger.get(`${path}/${id}`),
        await stranger.patch(`${path}/${id}`, { enabled: false }),
        await stranger.delete(`${path}/${id}`),
        await stranger.post(`${path}/${id}/rotate_secret`),
      ]
      for (const { status, body } of responses)
        expect([status, body.error.code]).toEqual([404, 'webhook_endpoint_not_found'])
    }
    expect((await stranger.get(path)).body).toEqual({ data: [] })
  }
  const reader = await merchant.as({ scopes: ['verifications:read', 'verifications:create'] })
  expect((await reader.get(path)).status).toBe(403)
  expect((await reader.post(path, input)).status).toBe(403)
  expect((await merchant.get(`${path}/${endpoint.id}`)).body).toEqual(endpoint)
})

test('of 40 concurrent creations 16 succeed, and deleting one makes room', async () => {
  const merchant = await service.tenant()
  const responses = await Promise.all(Array.from({ length: 40 }, () => merchant.post(path, input)))
  const created = responses.filter(({ status }) => status === 201)

  expect(created).toHaveLength(maxWebhookEndpoints)
  expect(
    responses.filter(({ status, body }) => status === 409 && body.error.code === 'too_many'),
  ).toHaveLength(40 - maxWebhookEndpoints)
  // The other environment has room of its own.
  expect((await (await merchant.as({ environment: 'live' })).post(path, input)).status).toBe(201)
  await merchant.delete(`${path}/${created[0]?.body.endpoint.id}`)
  expect((await merchant.post(path, input)).status).toBe(201)
})

test('[HOOK-3] after a rotation both secrets of an endpoint sign for 24 hours, never three, and none is stored in plain text', async () => {
  const merchant = await service.tenant()
  const { endpoint, secret: first } = await create(merchant)
  const rotate = async () => (await merchant.post(`${path}/${endpoint.id}/rotate_secret`)).body
  expect(await signing(merchant, endpoint.id)).toEqual([first])

  const { secret: second, endpoint: rotated } = await rotate()
  expect(rotated.previous_secret_retires_at > rotated.secret_created_at).toBe(true)
  expect(await signing(merchant, endpoint.id)).toEqual([second, first])
  const { secret: third } = await rotate()
  expect(await signing(merchant, endpoint.id)).toEqual([third, second])
  await setClockOffset(service.ctx.db, '24:00:01')
  expect(await signing(merchant, endpoint.id)).toEqual([third])
  expect((await merchant.get(`${path}/${endpoint.id}`)).body).not.toHaveProperty('previous_secret_retires_at')
  await setClockOffset(service.ctx.db, '0')

  const [row] = await service.ctx.db.query<{ text: string }>(
    sql`select to_jsonb(e)::text as text from webhook_endpoints e where id = ${endpoint.id}`,
  )
  const entries = JSON.stringify(await readAuditLog(service.ctx, merchant.tenant_id))
  for (const secret of [first, second, third]) {
    expect(row?.text).not.toContain(Buffer.from(secret).toString('hex'))
    expect(entries).not.toContain(secret)
  }
  expect(entries).toContain('webhook_endpoint.secret_rotated')
})

test('an endpoint is disabled once every attempt of five days has failed, says why, and starts again by one change', async () => {
  const merchant = await service.tenant()
  const { endpoint } = await create(merchant)
  const { db } = service.ctx
  const fail = (since: string, last: string) =>
    db.execute(sql`
      update webhook_endpoints
      set failing_since = service_now() - ${since}::interval, last_failed_at = service_now() - ${last}::interval
      where id = ${endpoint.id}`)
  const read = async () => (await merchant.get(`${path}/${endpoint.id}`)).body

  const alerts = () =>
    db.query<{ kind: string; open: boolean; host: string }>(sql`
      select kind, resolved_at is null as open, details ->> 'host' as host from alerts
      where tenant_id = ${merchant.tenant_id} and subject = ${endpoint.id} order by raised_at, kind`)

  await fail('20 minutes', '0')
  await watchFailingEndpoints(service.ctx)
  expect(await alerts()).toEqual([])
  await fail('4 days 23 hours', '0')
  await watchFailingEndpoints(service.ctx)
  await watchFailingEndpoints(service.ctx)
  expect(await read()).toMatchObject({ enabled: true, failing_since: expect.any(String) })
  expect(await alerts()).toEqual([{ kind: 'endpoint_failing', open: true, host: '8.8.8.8' }])
  await db.execute(sql`update webhook_endpoints set failing_since = null where id = ${endpoint.id}`)
  await watchFailingEndpoints(service.ctx)
  expect(await alerts()).toEqual([{ kind: 'endpoint_failing', open: false, host: '8.8.8.8' }])
  // Nothing was attempted in the last days, so nothing says that it still fails.
  await fail('6 days', '5 days')
  await watchFailingEndpoints(service.ctx)
  expect(await read()).toMatchObject({ enabled: true })

  await fail('5 days 1 minute', '0')
  await Promise.all(Array.from({ length: 4 }, () => watchFailingEndpoints(service.ctx)))
  expect(await read()).toMatchObject({
    enabled: false,
    disabled_reason: 'failing',
    disabled_at: expect.any(String),
  })
  const entries = await readAuditLog(service.ctx, merchant.tenant_id)
  expect(entries.filter(({ action }) => action === 'webhook_endpoint.disabled')).toMatchObject([
    { actor: 'service', subject: endpoint.id },
  ])
  expect((await alerts()).at(-1)).toEqual({ kind: 'endpoint_disabled', open: true, host: '8.8.8.8' })
  const enabled = (await merchant.patch(`${path}/${endpoint.id}`, { enabled: true })).body
  expect(enabled).toEqual(endpoint)
  expect((await alerts()).filter(({ open }) => open)).toEqual([])
  await watchFailingEndpoints(service.ctx)
  expect(await read()).toEqual(endpoint)
})
