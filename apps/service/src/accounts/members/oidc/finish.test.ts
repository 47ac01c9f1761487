import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, tokenFromLink } from '../../../../test/sign-in/browser.ts'
import {
  authenticateAtProvider,
  followCallback,
  signInAtProvider,
  startIdentityProvider,
  type IdentityProvider,
} from '../../../../test/sign-in/identity-provider.ts'
import { startService, type Merchant, type Service } from '../../../../test/service.ts'
import { inviteMember } from '../invitations/invite.ts'

let provider: IdentityProvider
let service: Service
let merchant: Merchant
beforeAll(async () => {
  provider = await startIdentityProvider('http://localhost:8080')
  service = await startService({
    environment: provider.environment,
  })
  merchant = await service.tenant()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  provider.close()
})

test('an invited person joins through the provider and later signs in with it', async () => {
  const browser = openBrowser(service)
  const token = await invite('ada@example.com')
  const started = await browser.call('acceptWithOidc', { body: { token, name: 'Ada' } })
  expect(started.headers.getSetCookie()[0]).toMatch(/^vidimus_oidc=.+; HttpOnly; SameSite=Lax; Max-Age=600$/)
  const joined = await signInAtProvider(browser, started.body.location, 'ada')
  expect(joined.headers.get('location')).toBe('/dashboard')
  expect((await browser.call('getMe')).body).toMatchObject({
    member: { name: 'Ada' },
    oidc_linked: true,
    passkeys: [],
  })

  const later = openBrowser(service)
  const again = await later.call('startOidcSignIn', { body: { return_to: '/dashboard/keys' } })
  const response = await signInAtProvider(later, again.body.location, 'ada')
  expect(response.headers.get('location')).toBe('/dashboard/keys')
  expect((await later.call('getMe')).body.member.email).toBe('ada@example.com')
})

test('a provider account without an invitation cannot sign in', async () => {
  const browser = openBrowser(service)
  const { body } = await browser.call('startOidcSignIn', { body: {} })
  const response = await signInAtProvider(browser, body.location, 'stranger')
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toBe('/dashboard/sign-in?error=sign_in_failed')
  expect(browser.cookies.size).toBe(0)
})

test('a provider account belongs to one member only', async () => {
  const first = openBrowser(service)
  const one = await first.call('acceptWithOidc', {
    body: { token: await invite('b1@example.com'), name: 'B' },
  })
  await signInAtProvider(first, one.body.location, 'bob')
  const second = openBrowser(service)
  const token = await invite('b2@example.com')
  const two = await second.call('acceptWithOidc', { body: { token, name: 'B' } })
  const response = await signInAtProvider(second, two.body.location, 'bob')
  expect(response.headers.get('location')).toBe('/dashboard/sign-in?error=sign_in_failed')
  // Nothing was stored: the link still works.
  expect((await second.call('readInvitation', { body: { token } })).status).toBe(200)
})

test('a callback for a sign-in that another browser started is refused', async () => {
  const attacker = openBrowser(service)
  const { body } = await attacker.call('startOidcSignIn', { body: {} })
  const callback = await authenticateAtProvider(body.location, 'ada')
  const victim = openBrowser(service)
  const without = await followCallback(victim, callback)
  expect(without.headers.get('location')).toContain('error=sign_in_failed')
  await victim.call('startOidcSignIn', { body: {} })
  const withAnother = await followCallback(victim, callback)
  expect(withAnother.headers.get('location')).toContain('error=sign_in_failed')
  expect(victim.cookies.has('vidimus_session')).toBe(false)
})

test('declining at the provider and invalid callbacks lead back to the sign-in page', async () => {
  for (const query of ['?error=access_denied', '?code=x&state=y', '', '?code=a&code=b']) {
    const browser = openBrowser(service)
    await browser.call('startOidcSignIn', { body: {} })
    const response = await followCallback(browser, `/dashboard/api/sign-in/oidc/callback${query}`)
    expect(response.headers.get('location')).toContain('/dashboard/sign-in?error=')
  }
})

test.each([
  'https://evil.example',
  '//evil.example',
  '/dashboard//evil.example',
  '/elsewhere',
  '/dashboard/\\evil',
])('does not redirect to %s afterwards', async (return_to) => {
  const response = await openBrowser(service).call('startOidcSignIn', { body: { return_to } })
  expect(response.status).toBe(400)
})

test('an unavailable provider is a 503, and without a configured provider the method is not offered', async () => {
  await using away = await startService({
    environment: { OIDC_ISSUER: 'http://127.0.0.1:1', OIDC_CLIENT_ID: 'vidimus' },
  })
  const response = await openBrowser(away).call('startOidcSignIn', { body: {} })
  expect(response.body.error.code).toBe('sign_in_unavailable')
  await using none = await startService()
  expect((await openBrowser(none).call('startOidcSignIn', { body: {} })).status).toBe(404)
  expect((await openBrowser(none).call('getSignIn')).body).toEqual({ passkey: true, oidc: false })
})

async function invite(email: string): Promise<string> {
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  return tokenFromLink((await inviteMember(service.ctx, { by, email, role: 'admin' })).link)
}
