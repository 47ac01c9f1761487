import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openBrowser, tokenFromLink } from '../../../../test/sign-in/browser.ts'
import {
  startHostileProvider,
  type ProviderBehaviour,
  type HostileProvider,
  type ProviderHandler,
} from '../../../../test/sign-in/hostile-provider.ts'
import { followCallback } from '../../../../test/sign-in/identity-provider.ts'
import { startService, type Merchant, type Service } from '../../../../test/service.ts'
import { inviteMember } from '../invitations/invite.ts'

let provider: HostileProvider
let service: Service
let merchant: Merchant
beforeAll(async () => {
  provider = await startHostileProvider()
  service = await startService({ environment: provider.environment })
  merchant = await service.tenant()
  // Ada joins while the provider is honest.
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  const { link } = await inviteMember(service.ctx, { by, email: 'ada@example.com', role: 'owner' })
  const browser = openBrowser(service)
  const { body } = await browser.call('acceptWithOidc', { body: { token: tokenFromLink(link), name: 'Ada' } })
  await finishSignIn(browser, body.location)
  if ((await browser.call('getMe')).status !== 200) throw new Error('Ada could not sign in')
})
beforeEach(() => provider.setBehaviour())
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  provider.close()
})

/** Completes a sign-in as an honest provider would, and returns the callback's response. */
async function finishSignIn(browser: ReturnType<typeof openBrowser>, location: string, more: object = {}) {
  const { searchParams } = new URL(location)
  provider.expect(searchParams.get('nonce') ?? '')
  const query = new URLSearchParams({ code: 'a-code', state: searchParams.get('state') ?? '', ...more })
  return followCallback(browser, `/dashboard/api/sign-in/oidc/callback?${query.toString()}`)
}

/** Runs a whole sign-in against a provider with this behaviour and returns the browser's result. */
async function signInWith(behaviour: Partial<ProviderBehaviour>, more: object = {}, at = service) {
  provider.setBehaviour(behaviour)
  const browser = openBrowser(at)
  const started = await browser.call('startOidcSignIn', { body: {} })
  if (started.status !== 200) return started.body.error.code as string
  const { status, headers } = await finishSignIn(browser, started.body.location, more)
  const signedIn = (await browser.call('getMe')).status === 200
  return signedIn ? 'signed in' : `${status} ${headers.get('location')}`
}

const refused = '303 /dashboard/sign-in?error=sign_in_failed'
const now = () => Math.floor(Date.now() / 1000)

test('[DASH-11] an honest provider signs in, so that the cases below fail for their own reason', async () => {
  expect(await signInWith({})).toBe('signed in')
})

describe('[DASH-11] an invalid ID token does not sign in', () => {
  test.each<[string, Partial<ProviderBehaviour>]>([
    ['from another issuer', { claims: { iss: 'https://accounts.example.com' } }],
    ['for another client', { claims: { aud: 'somebody-else' } }],
    ['for several clients, another one authorized', { claims: { aud: ['vidimus', 'x'], azp: 'x' } }],
    ['with another nonce', { claims: { nonce: 'another' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['that has expired', { claims: { iat: now() - 900, exp: now() - 600 } }],
    ['without an expiry', { claims: { exp: undefined } }],
    ['without a subject', { claims: { sub: undefined } }],
    ['with a subject that is not a string', { claims: { sub: { $ne: '' } } }],
    ['with a subject of 300 characters', { claims: { sub: 'a'.repeat(300) } }],
    ['that is not signed', { sign: 'none' }],
    ['signed by HMAC with the public key', { sign: 'HS256 with the public key' }],
    ['signed by HMAC with the client secret', { sign: 'HS256 with the client secret' }],
    ['signed with another key', { sign: 'RS256 with another key' }],
    [
      'that claims RS256 and embeds its own key',
      { sign: 'RS256 with another key', header: { jwk: {}, kid: 'x' } },
    ],
    [
      "of an unknown subject with an owner's address",
      { claims: { sub: 'eve', email: 'ada@example.com', email_verified: true } },
    ],
    ['of a subject that differs in case', { claims: { sub: 'ADA' } }],
  ])('%s', async (_, behaviour) => {
    expect(await signInWith(behaviour)).toBe(refused)
  })
})

test('[DASH-11] a callback from another provider, with another state, or a repeated one does not sign in', async () => {
  expect(await signInWith({}, { iss: 'https://accounts.example.com' })).toBe(refused)
  expect(await signInWith({}, { state: 'another' })).toBe(refused)
  const browser = openBrowser(service)
  const { body } = await browser.call('startOidcSignIn', { body: {} })
  await finishSignIn(browser, body.location)
  const session = browser.cookies.get('vidimus_session')
  const again = await finishSignIn(browser, body.location)
  expect(again.headers.get('location')).toContain('error=sign_in_failed')
  expect(browser.cookies.get('vidimus_session')).toBe(session)
})

test('[DASH-11] the same subject at another issuer is a different identity', async () => {
  const second = await startHostileProvider()
  await using other = await startService({
    environment: second.environment,
    database: { url: service.database_url, async [Symbol.asyncDispose]() {} },
  })
  const browser = openBrowser(other)
  const { body } = await browser.call('startOidcSignIn', { body: {} })
  second.expect(new URL(body.location).searchParams.get('nonce') ?? '')
  const query = new URLSearchParams({
    code: 'a-code',
    state: new URL(body.location).searchParams.get('state') ?? '',
  })
  const ended = await followCallback(browser, `/dashboard/api/sign-in/oidc/callback?${query.toString()}`)
  expect(ended.headers.get('location')).toContain('error=sign_in_failed')
  second.close()
})

describe('[DASH-11] a provider that sends something else', () => {
  const endless: ProviderHandler = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const more = () => {
      while (!response.destroyed && response.write(' '.repeat(65_536)));
    }
    response.on('drain', more)
    more()
  }
  const text =
    (body: string, type = 'application/json'): ProviderHandler =>
    (_, response) =>
      void response.writeHead(200, { 'content-type': type }).end(body)
  const odd: [string, ProviderHandler][] = [
    ['invalid JSON', text('<html>')],
    ['another content type', text('{}', 'text/html')],
    ['null', text('null')],
    ['an array', text('[]')],
    ['deeply nested JSON', text(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)],
    ['an endless body', endless],
    [
      'a truncated body',
      (_, response) =>
        void response.writeHead(200, { 'content-length': '99' }).write('{', () => response.destroy()),
    ],
    ['a connection reset', (request) => void request.socket.destroy()],
    ['500', (_, response) => void response.writeHead(500).end('{}')],
  ]

  const few = odd.filter(([name]) => ['invalid JSON', 'an endless body', 'a connection reset'].includes(name))

  test.each(odd)('%s from the token endpoint does not sign in', async (_, providerResponse) => {
    expect(await signInWith({ token: providerResponse })).toBe(refused)
  })

  test.each(few)('%s instead of its keys does not sign in', async (_, providerResponse) => {
    // Keys are cached, so this needs a service that has not fetched them yet.
    await using fresh = await startService({
      environment: provider.environment,
      database: { url: service.database_url, async [Symbol.asyncDispose]() {} },
    })
    expect(await signInWith({ jwks: providerResponse }, {}, fresh)).toBe(refused)
    provider.setBehaviour()
  })

  const metadata = (changed: object): Partial<ProviderBehaviour> => ({
    metadata: (given) => ({ ...given, ...changed }),
  })
  test.each<[string, Partial<ProviderBehaviour>]>([
    ...few.map(([name, providerResponse]): [string, Partial<ProviderBehaviour>] => [
      name,
      { discovery: providerResponse },
    ]),
    ['metadata of another issuer', metadata({ issuer: 'https://accounts.example.com' })],
    ['no authorization endpoint', metadata({ authorization_endpoint: undefined })],
    [
      'a javascript URL as authorization endpoint',
      metadata({ authorization_endpoint: 'javascript:alert(1)' }),
    ],
    ['a data URL as authorization endpoint', metadata({ authorization_endpoint: 'data:text/html,x' })],
  ])('%s instead of its metadata is a 503', async (_, behaviour) => {
    await using fresh = await startService({
      environment: provider.environment,
      database: { url: service.database_url, async [Symbol.asyncDispose]() {} },
    })
    expect(await signInWith(behaviour, {}, fresh)).toBe('sign_in_unavailable')
    provider.setBehaviour()
    // The metadata is fetched again, and the next sign-in works.
    expect(await signInWith({}, {}, fresh)).toBe('signed in')
  })

  test('a redirect to an internal address is not followed', async () => {
    let reached = 0
    const internal = createServer((_, response) => {
      reached += 1
      response.end('{}')
    })
    await new Promise<void>((resolve) => void internal.listen(0, '127.0.0.1', resolve))
    const { port } = internal.address() as AddressInfo // it listens on a port
    const redirect: ProviderHandler = (_, response) =>
      void response.writeHead(302, { location: `http://127.0.0.1:${port}/secrets` }).end()
    await using fresh = await startService({
      environment: provider.environment,
      database: { url: service.database_url, async [Symbol.asyncDispose]() {} },
    })
    expect(await signInWith({ discovery: redirect }, {}, fresh)).toBe('sign_in_unavailable')
    expect(await signInWith({ jwks: redirect }, {}, fresh)).toBe(refused)
    expect(await signInWith({ token: redirect }, {}, fresh)).toBe(refused)
    expect(reached).toBe(0)
    internal.close()
  })

  test('a silent provider times out and does not delay other requests', { timeout: 60_000 }, async () => {
    await using fresh = await startService({
      environment: provider.environment,
      database: { url: service.database_url, async [Symbol.asyncDispose]() {} },
    })
    const silent = signInWith({ discovery: () => {} }, {}, fresh)
    expect((await openBrowser(fresh).call('getSignIn')).status).toBe(200)
    expect(await silent).toBe('sign_in_unavailable')
  })

  test('unknown key ids do not make the service fetch the keys repeatedly', async () => {
    const before = provider.requestCounts.jwks
    for (let n = 0; n < 20; n += 1)
      expect(await signInWith({ sign: 'RS256 with another key', header: { kid: `unknown ${n}` } })).toBe(
        refused,
      )
    expect(provider.requestCounts.jwks - before).toBeLessThanOrEqual(1)
  })
})
