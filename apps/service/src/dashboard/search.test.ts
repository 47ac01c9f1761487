import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registerSite } from '../../test/openid/site.ts'
import { pairDevice } from '../../test/pair-device.ts'
import { openBrowser, signIn, type Browser } from '../../test/sign-in/browser.ts'
import { startService, type Service } from '../../test/service.ts'
import { waitUntil } from '../../test/wait-until.ts'
import { sql } from '../engine/db/sql.ts'
import { putTemplate } from '../templates/put-template.ts'
import { indexVerifications } from '../verifications/metadata/index-verifications.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const template = {
  name: 'Senior ticket',
  description: 'Whether someone may ride for less',
  query: { credentials: [{ id: 'pid', format: 'dc+sd-jwt', meta: { vct_values: ['urn:eudi:pid:1'] } }] },
}

const search = async (browser: Browser, text: string, environment = 'test') =>
  (await browser.call('search', { params: { environment }, query: { text } })).body

const nothing = { verifications: [], requests: [], keys: [], devices: [], templates: [], openid_clients: [] }

test('a search finds a verification by id, start of the id or metadata, a request, a key, a device, a template and an OpenID client', async () => {
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  const { id } = (
    await merchant.post('/v1/verifications', {
      template: 'age_over_18',
      metadata: { order: 'Order-A-1001', other: 'x' },
    })
  ).body
  await merchant.post('/v1/verifications', { template: 'age_over_18' })
  const { id: device_id } = await pairDevice(service, merchant, {
    name: 'Till at the door',
    allowed_templates: ['age_over_18'],
  })
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  await putTemplate(service.ctx, { key: 'senior_ticket', template, by })
  const { client_id } = await registerSite(service, { merchant, name: 'Wine shop' })
  const request_id = randomUUID()
  await merchant.get('/v1/usage', { headers: { 'x-request-id': request_id } })

  const byId = await search(owner, id)
  expect(byId.verifications).toMatchObject([{ id, status: 'pending' }])
  expect(byId.verifications[0].metadata).toBeUndefined()
  expect((await search(owner, id.slice(0, 14))).verifications).toMatchObject([{ id }])
  expect((await search(owner, ' order-a-1001 ')).verifications).toMatchObject([
    { id, metadata: { name: 'order', value: 'Order-A-1001' } },
  ])
  expect((await search(owner, merchant.key_id)).keys).toMatchObject([{ id: merchant.key_id, revoked: false }])
  expect((await search(owner, 'the DOOR')).devices).toEqual([
    { id: device_id, name: 'Till at the door', status: 'active' },
  ])
  expect((await search(owner, device_id)).devices).toMatchObject([{ id: device_id }])
  expect((await search(owner, 'senior')).templates).toEqual([
    { key: 'senior_ticket', name: 'Senior ticket', built_in: false },
  ])
  for (const text of ['wine S', client_id, client_id.slice(4, 12)])
    expect((await search(owner, text)).openid_clients).toEqual([{ id: client_id, name: 'Wine shop' }])
  await waitUntil(async () => (await search(owner, request_id)).requests.length === 1)
  expect(await search(owner, 'nothing like it')).toMatchObject(nothing)
})

test('another tenant, the other environment and a stranger find nothing', async () => {
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  const stranger = await signIn(service, await service.tenant())
  const request_id = randomUUID()
  const { id } = (
    await merchant.post(
      '/v1/verifications',
      { template: 'age_over_18', metadata: { order: 'needle' } },
      { headers: { 'x-request-id': request_id } },
    )
  ).body
  const { id: device_id } = await pairDevice(service, merchant, {
    name: 'needle',
    allowed_templates: ['age_over_18'],
  })
  const { client_id } = await registerSite(service, { merchant, name: 'needle' })
  await waitUntil(async () => (await search(owner, request_id)).requests.length === 1)
  for (const text of [id, id.slice(0, 12), 'needle', device_id, client_id, merchant.key_id, request_id]) {
    expect([text, await search(stranger, text)]).toMatchObject([text, nothing])
    expect([text, await search(owner, text, 'live')]).toMatchObject([text, nothing])
  }
  const anonymous = await openBrowser(service).call('search', {
    params: { environment: 'test' },
    query: { text: 'needle' },
  })
  expect(anonymous.status).toBe(401)
})

test.each(['', 'x', 'x'.repeat(129), 'a\0b', '\ud800x'])('the text %j is refused', async (text) => {
  const owner = await signIn(service, await service.tenant())
  const { status } = await owner.call('search', { params: { environment: 'test' }, query: { text } })
  // URLSearchParams replaces a lone surrogate, which leaves an ordinary text.
  expect(status).toBe(text === '\ud800x' ? 200 : 400)
})

test('[READ-9] a value is found among all verifications once they are indexed, and before that among the newest 5,000', async () => {
  const merchant = await service.tenant()
  const owner = await signIn(service, merchant)
  await service.ctx.db.execute(sql`
    insert into verification_sessions (day, id, tenant_id, environment, metadata, certificate, created_at, expires_at)
    select service_day(), 'vs_0' || md5(n::text) || n, ${merchant.tenant_id}, 'test',
      jsonb_build_object('shop', 'Main', 'order', 'A-' || n), decode('00', 'hex'),
      (service_day())::timestamptz + n * interval '1 microsecond', service_now()
    from generate_series(1, 7000) as n`)
  await service.ctx.db.execute(sql`
    update tenant_usage set used = 7000, day = service_day(), last_created_at = service_now()
    where tenant_id = ${merchant.tenant_id}`)
  const values = async (text: string) =>
    (await search(owner, text)).verifications.map(
      ({ metadata }: { metadata: { value: string } }) => metadata.value,
    )
  expect(await values('a-6999')).toEqual(['A-6999'])
  expect(await values('A-1999')).toEqual([])
  await indexVerifications(service.ctx)
  expect(await values('A-1999')).toEqual(['A-1999'])
  expect(await values('A-199')).toEqual(['A-199'])
  expect(await values('A-70001')).toEqual([])
  expect(await values('main')).toEqual(Array.from({ length: 5 }, () => 'Main'))
})

test("the searches of one tenant's members do not refuse or delay another's, however many they are", async () => {
  const [merchant, other] = [await service.tenant(), await service.tenant()]
  const emails = Array.from({ length: 4 }, (_, number) => `member-${number}@example.com`)
  const members = await Promise.all(emails.map((email) => signIn(service, { ...merchant, email })))
  const stranger = await signIn(service, other)
  const call = async (browser: Browser) =>
    (await browser.call('search', { params: { environment: 'test' }, query: { text: 'anything' } })).status
  await call(stranger)

  const ended: string[] = []
  const searches = members.flatMap((member) => Array.from({ length: 25 }, () => call(member)))
  for (const each of searches) void each.then(() => ended.push('member'))
  expect(await call(stranger)).toBe(200)
  expect(ended.length).toBeLessThan(searches.length)
  expect(new Set(await Promise.all(searches))).toEqual(new Set([200]))
})
