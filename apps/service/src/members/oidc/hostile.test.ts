import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openBrowser, tokenFromLink } from '../../../test/sign-in/browser.ts'
import {
  startHostileProvider,
  type ProviderBehaviour,
  type HostileProvider,
  type ProviderHandler,
} from '../../../test/sign-in/hostile-provider.ts'
import { followCallback } from '../../../test/sign-in/identity-provider.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
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
  await answer(browser, body.location)
  if ((await browser.call('getMe')).status !== 200) throw new Error('Ada was not let in')
})
beforeEach(() => provider.setBehaviour())
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  provider.close()
})

/** What an honest provider knows of a request, and where it sends the browser back to. */
async function answer(browser: ReturnType<typeof openBrowser>, location: string, more: object = {}) {
  const { searchParams } = new URL(location)
  provider.expect(searchParams.get('nonce') ?? '')
  const query = new URLSearchParams({ code: 'a-code', state: searchParams.get('state') ?? '', ...more })
  return followCallback(browser, `/dashboard/api/sign-in/oidc/callback?${query.toString()}`)
}

/** A whole sign-in against a provider that behaves like this; what the browser gets in the end. */
async function signInWith(behaviour: Partial<ProviderBehaviour>, more: object = {}, at = service) {
  provider.setBehaviour(behaviour)
  const browser = openBrowser(at)
  const started = await browser.call('startOidcSignIn', { body: {} })
  if (started.status !== 200) return started.body.error.code as string
  const { status, headers } = await answer(browser, started.body.location, more)
  const signedIn = (await browser.call('getMe')).status === 200
  return signedIn ? 'signed in' : `${status} ${headers.get('location')}`
}

const refused = '303 /dashboard/sign-in?error=sign_in_failed'
const now = () => Math.floor(Date.now() / 1000)

test('[DASH-11] an honest answer signs in, so that what follows fails for its own reason', async () => {
  expect(await signInWith({})).toBe('signed in')
})

describe('[DASH-11] an ID token that is not what it should be signs nobody in', () => {
  test.each<[string, Partial<ProviderBehaviour>]>([
    ['of another issuer', { claims: { iss: 'https://accounts.example.com' } }],
    ['for another client', { claims: { aud: 'somebody-else' } }],
    ['for several clients, another one authorized', { claims: { aud: ['vidimus', 'x'], azp: 'x' } }],
    ['with another nonce', { claims: { nonce: 'another' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['that has expired', { claims: { iat: now() - 900, exp: now() - 600 } }],
    ['without an end', { claims: { exp: undefined } }],
    ['without a subject', { claims: { sub: undefined } }],
    ['with a subject that is no text', { claims: { sub: { $ne: '' } } }],
    ['with a subject of 300 characters', { claims: { sub: 'a'.repeat(300) } }],
    ['that is not signed', { sign: 'none' }],
    ['signed by HMAC with the public key', { sign: 'HS256 with the public key' }],
    ['signed by HMAC with the client secret', { sign: 'HS256 with the client secret' }],
    ['signed with another key', { sign: 'RS256 with another key' }],
    [
      'that says RS256 and names a key of its own',
      { sign: 'RS256 with another key', header: { jwk: {}, kid: 'x' } },
    ],
    [
      "of a stranger with an owner's address",
      { claims: { sub: 'eve', email: 'ada@example.com', email_verified: true } },
    ],
    ["of a subject in another's case", { claims: { sub: 'ADA' } }],
  ])('%s', async (_, behaviour) => {
    expect(await signInWith(behaviour)).toBe(refused)
  })
})

test('[DASH-11] an answer of another provider, with another state, or a second time signs nobody in', async () => {
  expect(await signInWith({}, { iss: 'https://accounts.example.com' })).toBe(refused)
  expect(await signInWith({}, { state: 'another' })).toBe(refused)
  const browser = openBrowser(service)
  const { body } = await browser.call('startOidcSignIn', { body: {} })
  await answer(browser, body.location)
  const session = browser.cookies.get('vidimus_session')
  const again = await answer(browser, body.location)
  expect(again.headers.get('location')).toContain('error=sign_in_failed')
  expect(browser.cookies.get('vidimus_session')).toBe(session)
})

test('[DASH-11] the same subject at another issuer is somebody else', async () => {
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

describe('[DASH-11] a provider that answers with anything else', () => {
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
    ['no JSON', text('<html>')],
    ['another type', text('{}', 'text/html')],
    ['null', text('null')],
    ['a list', text('[]')],
    ['deep JSON', text(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)],
    ['a body without end', endless],
    [
      'a body cut off',
      (_, response) =>
        void response.writeHead(200, { 'content-length': '99' }).write('{', () => response.destroy()),
    ],
    ['a reset', (request) => void request.socket.destroy()],
    ['500', (_, response) => void response.writeHead(500).end('{}')],
  ]

  const few = odd.filter(([name]) => ['no JSON', 'a body without end', 'a reset'].includes(name))

  test.each(odd)('%s at the token endpoint signs nobody in', async (_, answered) => {
    expect(await signInWith({ token: answered })).toBe(refused)
  })

  test.each(few)('%s instead of its keys signs nobody in', async (_, answered) => {
    // Keys are kept for a while, so a service that has not seen them yet is asked.
    await using fresh = await startService({
      environment: provider.environment,
      database: { url: service.database_url, async [Symbol.asyncDispose]() {} },
    })
    expect(await signInWith({ jwks: answered }, {}, fresh)).toBe(refused)
    provider.setBehaviour()
  })

  const metadata = (changed: object): Partial<ProviderBehaviour> => ({
    metadata: (given) => ({ ...given, ...changed }),
  })
  test.each<[string, Partial<ProviderBehaviour>]>([
    ...few.map(([name, answered]): [string, Partial<ProviderBehaviour>] => [name, { discovery: answered }]),
    ['metadata of another issuer', metadata({ issuer: 'https://accounts.example.com' })],
    ['no authorization endpoint', metadata({ authorization_endpoint: undefined })],
    ['a script as authorization endpoint', metadata({ authorization_endpoint: 'javascript:alert(1)' })],
    ['data as authorization endpoint', metadata({ authorization_endpoint: 'data:text/html,x' })],
  ])('%s instead of its metadata is a 503', async (_, behaviour) => {
    await using fresh = await startService({
      environment: provider.environment,
      database: { url: service.database_url, async [Symbol.asyncDispose]() {} },
    })
    expect(await signInWith(behaviour, {}, fresh)).toBe('sign_in_unavailable')
    provider.setBehaviour()
    // It is asked again, and the next sign-in works.
    expect(await signInWith({}, {}, fresh)).toBe('signed in')
  })

  test('a redirection to an internal address is not followed', async () => {
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

  test('silence is given up on, and does not hold up others', { timeout: 60_000 }, async () => {
    await using fresh = await startService({
      environment: provider.environment,
      database: { url: service.database_url, async [Symbol.asyncDispose]() {} },
    })
    const silent = signInWith({ discovery: () => {} }, {}, fresh)
    expect((await openBrowser(fresh).call('getSignIn')).status).toBe(200)
    expect(await silent).toBe('sign_in_unavailable')
  })

  test('keys that nobody knows do not make the service ask for keys again and again', async () => {
    const before = provider.requestCounts.jwks
    for (let n = 0; n < 20; n += 1)
      expect(await signInWith({ sign: 'RS256 with another key', header: { kid: `unknown ${n}` } })).toBe(
        refused,
      )
    expect(provider.requestCounts.jwks - before).toBeLessThanOrEqual(1)
  })
})
