import {
  allowInsecureRequests,
  authorizationCodeGrant,
  ClientSecretPost,
  customFetch,
  discovery,
} from 'openid-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  openCookieJar,
  type BrowserEnd,
  type CookieJar,
  type PostedForm,
} from '../../../test/openid/cookie-jar.ts'
import { callback, registerSite, type Site } from '../../../test/openid/site.ts'
import { startService, type Service } from '../../../test/service.ts'
import { openWallet, type HolderChannel } from '../../../test/wallet.ts'

let service: Service
let site: Site
beforeAll(async () => {
  service = await startService()
  site = await registerSite(service)
})
afterAll(() => service[Symbol.asyncDispose]())

function requirePosted(end: BrowserEnd): PostedForm {
  if (!('posted' in end)) throw new Error(`There is no form: ${JSON.stringify(end)}`)
  return end.posted
}

/** Starts, responds as a wallet and comes back, up to the form for the site. */
async function obtainForm(
  params: URLSearchParams,
  { channel, persona = 'adult' }: { channel: HolderChannel; persona?: string },
): Promise<{ browser: CookieJar; end: BrowserEnd; back: string }> {
  const browser = openCookieJar(service)
  const started = await site.authorize(browser, params)
  if (!('id' in started)) throw new Error(JSON.stringify(started))
  const wallet = await openWallet(service.ctx, service.address, { persona })
  const responded = await wallet.respondOver(channel, started.id)
  if (!responded.sent) throw new Error(JSON.stringify(responded.violations))
  const { redirect_uri } = JSON.parse(responded.body) as { redirect_uri?: string }
  const back = redirect_uri ?? (await browser.readReturnUrl(started.id))
  return { browser, end: await browser.comeBack(back), back }
}

for (const channel of ['screen', 'redirect'] as const)
  test(`openid-client takes the code from the form, after a response over ${channel}`, async () => {
    const configuration = await discovery(
      new URL(site.issuer),
      site.client_id,
      {},
      ClientSecretPost(site.secret ?? ''),
      {
        [customFetch]: (url, init) =>
          fetch(url.replace(service.ctx.config.BASE_URL, service.address), init as RequestInit),
        execute: [allowInsecureRequests],
      },
    )
    expect(configuration.serverMetadata()['response_modes_supported']).toContain('form_post')
    const { params, verifier } = site.request({ response_mode: 'form_post' })
    const { browser, end, back } = await obtainForm(params, { channel })
    const { action, fields } = requirePosted(end)
    expect([action, Object.keys(fields).toSorted()]).toEqual([callback, ['code', 'iss', 'state']])
    // A reload posts the same code.
    expect(requirePosted(await browser.comeBack(back))).toEqual({ action, fields })
    const posted = new Request(action, { method: 'POST', body: new URLSearchParams(fields) })
    const tokens = await authorizationCodeGrant(configuration, posted, {
      pkceCodeVerifier: verifier,
      expectedState: params.get('state') ?? '',
      expectedNonce: params.get('nonce') ?? '',
    })
    expect(tokens.claims()).toMatchObject({ verified: { age_over_18: true } })
    // After the exchange the form is not shown again.
    expect(await browser.comeBack(back)).not.toHaveProperty('posted')
  })

test('the page that posts has one script, names the service as the origin, and no address has the code', async () => {
  const { params } = site.request({ response_mode: 'form_post' })
  const { end } = await obtainForm(params, { channel: 'screen' })
  if (!('posted' in end)) throw new Error('There is no form.')
  const policy = end.headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[\w+/=]+'; /)
  expect(policy).not.toContain('form-action')
  expect(end.headers.get('referrer-policy')).toBe('strict-origin')
  expect(end.headers.get('location')).toBeNull()
  expect(end.headers.get('cache-control')).toBe('no-store')
})

test('of the pages that a wallet leads back to, only one that posts has a policy without form-action', async () => {
  for (const [response_mode, limited] of [
    ['query', true],
    ['form_post', false],
  ] as const) {
    const { browser, back } = await obtainForm(site.request({ response_mode }).params, {
      channel: 'redirect',
    })
    const [page = ''] = back.replace(service.ctx.config.BASE_URL, service.address).split('#')
    const cookie = Array.from(browser.cookies, (pair) => pair.join('=')).join('; ')
    const { headers } = await fetch(page, { headers: { cookie } })
    const policy = headers.get('content-security-policy') ?? ''
    expect([response_mode, policy.includes("form-action 'none'")]).toEqual([response_mode, limited])
  }
})

test('errors are posted too: a wrong request with its state, and a verification that was not completed', async () => {
  const state = `"'<&>`
  const wrong = site.request({ response_mode: 'form_post', scope: 'openid vidimus:age_over_21', state })
  expect(requirePosted(await site.authorize(openCookieJar(service), wrong.params))).toEqual({
    action: callback,
    fields: { error: 'invalid_scope', error_description: expect.any(String), state, iss: site.issuer },
  })
  const { params } = site.request({ response_mode: 'form_post' })
  for (const channel of ['screen', 'redirect'] as const) {
    const { end } = await obtainForm(params, { channel, persona: 'minor' })
    expect(requirePosted(end).fields).toMatchObject({
      error: 'access_denied',
      state: params.get('state'),
      iss: site.issuer,
    })
    params.set('nonce', 'another request')
  }
})

test("a form is refused for an app's own scheme, and for an address that is not registered there is none", async () => {
  const app = await registerSite(service, { redirect_uris: ['org.example.app:/callback'] })
  const end = await app.authorize(openCookieJar(service), app.request({ response_mode: 'form_post' }).params)
  if (!('returned' in end)) throw new Error(JSON.stringify(end))
  expect(end.returned.href).toMatch(/^org\.example\.app:\/callback\?error=invalid_request&.*response_mode/)
  const elsewhere = site.request({ response_mode: 'form_post', redirect_uri: 'https://evil.example/' })
  expect(await site.authorize(openCookieJar(service), elsewhere.params)).toMatchObject({ status: 400 })
})
