import { afterAll, beforeAll, expect, test } from 'vitest'
import { createForPages } from '../../../test/dc-page.ts'
import { setClockOffset } from '../../../test/database/clock.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { largeBody_bytes } from '../../engine/http/request/read-request.ts'
import { setHolderPage } from '../../accounts/tenants/holder-page.ts'

const shop = 'https://shop.example'
const local = 'http://localhost:5173'

let service: Service
let merchant: Merchant
let own: string
beforeAll(async () => {
  service = await startService({ environment: { BASE_URL: 'https://verify.example' } })
  merchant = await service.tenant()
  own = new URL(service.ctx.config.BASE_URL).origin
})
afterAll(() => service[Symbol.asyncDispose]())

const create = (as: Merchant = merchant, page_origins = [shop, local]) =>
  createForPages({ service, merchant: as, page_origins })

type Reply = Awaited<ReturnType<Awaited<ReturnType<typeof create>>['getRequests']>>

const summary = ({ status, body, headers }: Reply) => [
  status,
  body.error?.code,
  headers.get('access-control-allow-origin'),
]

test('[DC-9] an allowed origin gets CORS headers for itself, without credentials', async () => {
  const { getRequests } = await create()
  for (const origin of [shop, local, own]) {
    const response = await getRequests(origin)
    expect(summary(response)).toEqual([200, undefined, origin])
    expect(response.headers.get('vary')).toBe('Origin')
    expect(response.headers.get('access-control-allow-credentials')).toBeNull()
  }
})

test("[DC-9] a GET without Origin is for the service's own page and gets no CORS headers", async () => {
  const { getRequests } = await create()
  const response = await getRequests()
  expect(summary(response)).toEqual([200, undefined, null])
  expect(response.headers.get('vary')).toBe('Origin')
})

test.each([
  'https://evil.example',
  'https://shop.example.evil.example',
  'https://shop.example:8443',
  'http://shop.example',
  'https://SHOP.example',
  'https://shop.example/',
  'http://localhost:5174',
  `android:apk-key-hash:${'A'.repeat(43)}`,
  'android:apk-key-hash:',
  'null',
  '',
  '*',
  `${shop}, https://evil.example`,
])('[DC-9] Origin %j gets 403 wrong_origin without CORS headers, for GET and POST', async (origin) => {
  const { getRequests, post, read } = await create()
  expect(summary(await getRequests(origin))).toEqual([403, 'wrong_origin', null])
  expect(summary(await post('protocol=openid4vp-v1-signed&error=access_denied', origin))).toEqual([
    403,
    'wrong_origin',
    null,
  ])
  expect((await read()).status).toBe('pending')
})

test('[DC-9] a POST without Origin is refused; the own page sends one', async () => {
  const { post, captureForm, read } = await create()
  const form = await captureForm({ origin: own, channel: 'dc_api' })
  expect(summary(await post(form))).toEqual([403, 'wrong_origin', null])
  expect(summary(await post(form, own))).toEqual([200, undefined, own])
  expect((await read()).status).toBe('completed')
})

test("[DC-9] one tenant's origin is not allowed for another's verification", async () => {
  const { getRequests } = await create(await service.tenant(), [])
  await create()
  expect(summary(await getRequests(shop))).toEqual([403, 'wrong_origin', null])
})

test('http://localhost works for test verifications only', async () => {
  const live = await merchant.as({ environment: 'live' })
  const inLive = await create({ ...merchant, ...live, tenant_id: merchant.tenant_id })
  expect(summary(await inLive.getRequests(local))).toEqual([403, 'wrong_origin', null])
  expect(summary(await inLive.getRequests(shop))).toEqual([200, undefined, shop])
})

test('a removed origin is refused from the next request on, also for an open verification', async () => {
  const { getRequests, captureForm, post } = await create()
  const form = await captureForm({ origin: shop, channel: 'dc_api' })
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  await setHolderPage(service.ctx, { by, page_origins: [] })
  expect(summary(await getRequests(shop))).toEqual([403, 'wrong_origin', null])
  expect(summary(await post(form, shop))).toEqual([403, 'wrong_origin', null])
})

test('[DC-9] an allowed page can read errors: a wrong form, a verification that was answered, an expired one', async () => {
  const responded = await create()
  for (const form of [
    'response=nothing',
    'protocol=openid4vp-v1-signed',
    'protocol=carrier-pigeon&response=x',
  ])
    expect(summary(await responded.post(form, shop))).toEqual([400, 'invalid_wallet_response', shop])
  await responded.respond({ origin: shop, channel: 'dc_api' })
  expect(summary(await responded.getRequests(shop))).toEqual([409, 'session_already_responded', shop])
  expect(summary(await responded.post('protocol=x', shop))).toEqual([409, 'session_already_responded', shop])

  const expired = await create()
  await setClockOffset(service.ctx.db, '1 hour')
  expect(summary(await expired.getRequests(shop))).toEqual([410, 'session_expired', shop])
  expect(summary(await expired.post('protocol=x', shop))).toEqual([410, 'session_expired', shop])
  await setClockOffset(service.ctx.db, '0 seconds')
})

test('[DC-9] the same holds for a body that is refused before it is read', async () => {
  const { post, respond } = await create()
  await respond({ origin: shop, channel: 'dc_api' })
  const large = `protocol=org-iso-mdoc&response=${'A'.repeat(largeBody_bytes)}`
  expect(summary(await post(large, shop))).toEqual([409, 'session_already_responded', shop])
  expect(summary(await post(large, 'https://evil.example'))).toEqual([403, 'wrong_origin', null])
  expect(summary(await post(large))).toEqual([403, 'wrong_origin', null])
})

test('[DC-9] a preflight request names an allowed origin and no other', async () => {
  const { path } = await create()
  const preflight = (origin: string, at = path) =>
    service.anonymous.request('OPTIONS', at, {
      headers: { origin, 'access-control-request-method': 'POST' },
    })
  const allowed = await preflight(shop)
  expect(allowed.status).toBe(204)
  expect(Object.fromEntries(allowed.headers)).toMatchObject({
    allow: 'GET, HEAD, POST, OPTIONS',
    'access-control-allow-origin': shop,
    'access-control-allow-methods': 'GET, HEAD, POST, OPTIONS',
    vary: 'Origin',
  })
  for (const response of [
    await preflight('https://evil.example'),
    await preflight(shop, '/wallet/dc/vs_unknown'),
  ])
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
})
