import { setTenantState } from '../../accounts/tenants/state.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCookieJar } from '../../../test/openid/cookie-jar.ts'
import { callback, registerSite, type Site } from '../../../test/openid/site.ts'
import { startService, type Service } from '../../../test/service.ts'
import { openWallet } from '../../../test/wallet.ts'
import { maxState_characters } from './authorize/read-request.ts'

let service: Service
let site: Site
beforeAll(async () => {
  service = await startService()
  site = await registerSite(service, { templates: ['age_over_18', 'age_over_16'] })
})
afterAll(() => service[Symbol.asyncDispose]())

const countVerifications = async (of = site) => (await of.merchant.get('/v1/verifications')).body.data.length

test('[OIDC-3] an unknown client or an address that is not registered is never redirected to', async () => {
  const changes: Record<string, string | undefined>[] = [
    { client_id: undefined },
    { client_id: 'oc_AAAAAAAAAAAAAAAAAAAAAA' },
    { client_id: 'a\0b' },
    { client_id: (await registerSite(service)).client_id },
    ...[
      undefined,
      `${callback}/`,
      `${callback}?x=1`,
      'https://shop.example',
      'https://shop.example.evil/callback',
    ].map((redirect_uri) => ({ redirect_uri })),
    { redirect_uri: callback.toUpperCase() },
    { redirect_uri: `${callback}%2f..` },
  ]
  for (const changed of changes) {
    const end = await site.authorize(openCookieJar(service), site.request(changed).params)
    expect([changed, end]).toMatchObject([changed, { status: 400, page: expect.stringContaining('<main') }])
  }
  const repeated = site.request().params
  repeated.append('redirect_uri', 'https://evil.example/')
  expect(await site.authorize(openCookieJar(service), repeated)).toMatchObject({ status: 400 })
})

test('[OIDC-3] an app on the own device may listen on any port, at the registered address and path only', async () => {
  const app = await registerSite(service, {
    redirect_uris: ['http://127.0.0.1/cb', 'http://[::1]:7000/cb', 'http://localhost:3000/cb'],
  })
  const open = async (redirect_uri: string) => {
    const end = await app.authorize(openCookieJar(service), app.request({ redirect_uri }).params)
    return 'status' in end ? end.status : 'accepted'
  }
  for (const uri of [
    'http://127.0.0.1/cb',
    'http://127.0.0.1:51004/cb',
    'http://[::1]:1/cb',
    'http://localhost:3000/cb',
  ])
    expect([uri, await open(uri)]).toEqual([uri, 'accepted'])
  for (const uri of [
    'http://127.0.0.1:51004/other',
    'http://127.0.0.1:51004/cb/..',
    'http://127.0.0.2:51004/cb',
    'http://127.0.0.1.evil.example/cb',
    'http://127.0.0.1:1@evil.example/cb',
    'https://127.0.0.1:51004/cb',
    'http://localhost:3001/cb',
  ])
    expect([uri, await open(uri)]).toEqual([uri, 400])
})

test('a long state comes back, and a longer one is refused', async () => {
  const end = async (state: string) => {
    const reached = await site.authorize(
      openCookieJar(service),
      site.request({ state, prompt: 'none' }).params,
    )
    if (!('returned' in reached)) throw new Error(JSON.stringify(reached))
    return reached.returned.searchParams
  }
  const longest = 's'.repeat(maxState_characters)
  expect(Object.fromEntries(await end(longest))).toMatchObject({ error: 'login_required', state: longest })
  const refusal = Object.fromEntries(await end(`${longest}s`))
  expect(refusal).toMatchObject({
    error: 'invalid_request',
    error_description: expect.stringContaining(String(maxState_characters)),
  })
  expect(refusal).not.toHaveProperty('state')
})

const refused: [string, Record<string, string | undefined>][] = [
  ['invalid_request', { response_type: undefined }],
  ['unsupported_response_type', { response_type: 'token' }],
  ['unsupported_response_type', { response_type: 'code id_token' }],
  ['invalid_request', { response_mode: 'fragment' }],
  ['invalid_scope', { scope: undefined }],
  ['invalid_scope', { scope: 'vidimus:age_over_18' }],
  ['invalid_scope', { scope: 'openid' }],
  ['invalid_scope', { scope: 'openid vidimus:age_over_21' }],
  ['invalid_scope', { scope: 'openid vidimus:age_over_18 vidimus:age_over_16' }],
  ['invalid_request', { code_challenge: undefined }],
  ['invalid_request', { code_challenge_method: undefined }],
  ['invalid_request', { code_challenge_method: 'plain' }],
  ['invalid_request', { code_challenge: 'short' }],
  ['invalid_request', { nonce: 'n'.repeat(513) }],
  ['invalid_request', { max_age: '-1' }],
  ['invalid_request', { prompt: 'none login' }],
  ['login_required', { prompt: 'none' }],
  ['request_not_supported', { request: 'eyJhbGciOiJub25lIn0.e30.' }],
  ['request_uri_not_supported', { request_uri: 'https://shop.example/request' }],
  ['registration_not_supported', { registration: '{}' }],
]
test('a wrong request is answered at the site, with its state, and creates nothing', async () => {
  const before = await countVerifications()
  for (const [error, changed] of refused) {
    const { params } = site.request(changed)
    const end = await site.authorize(openCookieJar(service), params)
    if (!('returned' in end)) throw new Error(`${JSON.stringify(changed)}: ${JSON.stringify(end)}`)
    const { origin, pathname, searchParams } = end.returned
    expect([changed, origin + pathname, Object.fromEntries(searchParams)]).toEqual([
      changed,
      callback,
      { error, error_description: expect.any(String), state: params.get('state'), iss: site.issuer },
    ])
  }
  expect(await countVerifications()).toBe(before)
})

test('[OIDC-5] a code needs the client, the address and the verifier that it was issued for', async () => {
  const { code, verifier } = await site.obtainCode()
  const right = { code, code_verifier: verifier }
  const other = await registerSite(service, { merchant: site.merchant })
  const stranger = await registerSite(service)
  const wrong: [string, Promise<{ status: number; body: { error: string } }>][] = [
    ['invalid_grant', site.exchange({ ...right, code_verifier: 'v'.repeat(43) })],
    ['invalid_grant', site.exchange({ ...right, code_verifier: verifier.slice(1) })],
    ['invalid_request', site.exchange({ ...right, code_verifier: undefined })],
    ['invalid_grant', site.exchange({ ...right, redirect_uri: `${callback}/` })],
    ['invalid_request', site.exchange({ ...right, redirect_uri: undefined })],
    ['invalid_grant', site.exchange({ ...right, code: changeLast(code) })],
    ['invalid_grant', site.exchange({ ...right, code: 'x' })],
    ['invalid_request', site.exchange({ ...right, code: undefined })],
    ['invalid_request', site.exchange({ ...right, grant_type: undefined })],
    ['unsupported_grant_type', site.exchange({ ...right, grant_type: 'refresh_token' })],
    ['unsupported_grant_type', site.exchange({ ...right, grant_type: 'client_credentials' })],
    ['invalid_grant', other.exchange(right)],
    ['invalid_grant', stranger.exchange(right)],
    ['invalid_client', site.exchange({ ...right, client_secret: changeLast(site.secret ?? '') })],
    ['invalid_client', site.exchange({ ...right, client_secret: undefined })],
    ['invalid_client', site.exchange({ ...right, client_secret: other.secret })],
    ['invalid_client', site.exchange({ ...right, client_id: 'oc_unknown' })],
    ['invalid_client', site.exchange(right, { authorization: 'Basic !!!' })],
    ['invalid_client', site.exchange(right, { authorization: `Basic ${btoa(`${site.client_id}:%zz`)}` })],
    ['invalid_request', site.exchange({ ...right, client_secret: 'x' }, { authorization: basic(site) })],
    [
      'invalid_request',
      site.exchange({ ...right, client_id: other.client_id }, { authorization: basic(site) }),
    ],
  ]
  for (const [index, [error, response]] of wrong.entries()) {
    const { status, body } = await response
    expect([index, status, body.error]).toEqual([index, error === 'invalid_client' ? 401 : 400, error])
  }
  // None of these attempts has spent it.
  expect((await site.exchange(right, { authorization: basic(site) })).status).toBe(200)
})

test('[OIDC-6] only the browser that left may come back, with the code of the wallet that redirected it', async () => {
  const browser = openCookieJar(service)
  const end = await site.authorize(browser, site.request().params)
  if (!('id' in end)) throw new Error('There is no verification.')
  const return_url = await pendingReturnUrl(end.id)
  // Before the wallet has responded, it leads to the page.
  expect(await browser.open(return_url)).toEqual({ id: end.id })

  const victim = openCookieJar(service)
  await site.authorize(victim, site.request().params)
  const { redirect_uri } = await respondAsWallet(end.id)
  for (const stranger of [openCookieJar(service), victim])
    expect(await stranger.comeBack(redirect_uri)).toMatchObject({ status: 400 })
  // The browser that started, but not the one that the wallet opened: it has no code.
  const waiting = await browser.open(return_url)
  expect(waiting).toMatchObject({ status: 200, page: expect.stringContaining('response_code') })
  expect(await browser.comeBack(`${return_url}#response_code=${'w'.repeat(32)}`)).toMatchObject({
    status: 404,
  })

  const returned = await browser.comeBack(redirect_uri)
  expect(returned).toMatchObject({ returned: { searchParams: expect.anything() } })
  // A reload of the page brings the same code and prolongs nothing. Another tab, without the wallet's code, does not get it.
  expect(await browser.comeBack(redirect_uri)).toEqual(returned)
  expect(await browser.open(return_url)).toEqual(waiting)
  expect(await browser.comeBack(`${return_url}#response_code=${'w'.repeat(32)}`)).toMatchObject({
    status: 404,
  })
})

test('declined, not accepted and expired are access_denied, without the reason', async () => {
  for (const options of [{ persona: 'minor' }, { behaviour: 'declines' as const }, { persona: 'expired' }]) {
    const { returned } = await site.obtainCode(options)
    expect(Object.fromEntries(returned.searchParams)).toEqual({
      error: 'access_denied',
      error_description: 'The verification was not completed.',
      state: expect.any(String),
      iss: site.issuer,
    })
  }
})

test('the same request of the same browser creates one verification, and another browser its own', async () => {
  const alone = await registerSite(service)
  const { params } = alone.request()
  const browser = openCookieJar(service)
  const [first, again] = [await alone.authorize(browser, params), await alone.authorize(browser, params)]
  expect(again).toEqual(first)
  const racing = await Promise.all(Array.from({ length: 20 }, () => alone.authorize(browser, params)))
  expect(new Set(racing.map((end) => JSON.stringify(end))).size).toBe(1)
  expect(await countVerifications(alone)).toBe(1)
  expect(await alone.authorize(openCookieJar(service), params)).not.toEqual(first)
  expect(await countVerifications(alone)).toBe(2)
  // A program that follows links without cookies creates nothing.
  const url = `${alone.issuer}/authorize?${params.toString()}`.replace(
    service.ctx.config.BASE_URL,
    service.address,
  )
  const cookieless = await fetch(url, { redirect: 'manual' })
  const next = (cookieless.headers.get('location') ?? '').replace(
    service.ctx.config.BASE_URL,
    service.address,
  )
  expect((await fetch(next, { redirect: 'manual' })).status).toBe(400)
  expect(await countVerifications(alone)).toBe(2)
})

test('of a suspended account, the site is told that its client may not ask', async () => {
  const merchant = await service.tenant()
  const suspended = await registerSite(service, { merchant })
  const operator = { name: 'ada', reason: 'Not paid.' }
  await setTenantState(service.ctx, { tenant_id: merchant.tenant_id, state: 'suspended', operator })
  const end = await suspended.authorize(openCookieJar(service), suspended.request().params)
  expect('returned' in end && end.returned.searchParams.get('error')).toBe('unauthorized_client')
})

test('over the quota, the site is told to try later', async () => {
  const poor = await registerSite(service, { merchant: await service.tenant({ daily_quota: 1 }) })
  expect(await poor.authorize(openCookieJar(service), poor.request().params)).toHaveProperty('id')
  const end = await poor.authorize(openCookieJar(service), poor.request().params)
  expect('returned' in end && end.returned.searchParams.get('error')).toBe('temporarily_unavailable')
})

/** The same text with another last character. */
function changeLast(text: string): string {
  return text.slice(0, -1) + (text.endsWith('A') ? 'B' : 'A')
}

function basic({ client_id, secret }: Site): string {
  return `Basic ${btoa(`${encodeURIComponent(client_id)}:${encodeURIComponent(secret ?? '')}`)}`
}

async function pendingReturnUrl(id: string): Promise<string> {
  return (await site.merchant.get(`/v1/verifications/${id}`)).body.redirect_url
}

async function respondAsWallet(id: string): Promise<{ redirect_uri: string }> {
  const responded = await (await openWallet(service.ctx, service.address)).respondOver('redirect', id)
  if (!responded.sent) throw new Error(JSON.stringify(responded.violations))
  return JSON.parse(responded.body)
}
