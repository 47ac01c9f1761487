import type { OperatorOperation } from '@vidimus/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { openBrowser, tokenFromLink } from '../../../test/sign-in/browser.ts'
import {
  type ConsoleBrowser,
  openConsole,
  signInOperator,
  startServiceWithConsole,
} from '../../../test/sign-in/console.ts'
import {
  type HostileProvider,
  type ProviderBehaviour,
  startHostileProvider,
} from '../../../test/sign-in/hostile-provider.ts'
import { authenticateAtProvider, startIdentityProvider } from '../../../test/sign-in/identity-provider.ts'
import type { Service } from '../../../test/service.ts'
import { flushAudit, installationChain, listAudit } from '../../audit/index.ts'
import { addOperator, inviteOperator, removeOperator } from './operators.ts'

const flowCookie = '__Host-vidimus_operator_oidc'
const refused = '/console/sign-in?error=sign_in_failed'
const by = { name: 'a test' }

/** Goes to the provider's callback as a browser does: from another site, so without the session, whose cookie is strict. */
async function followCallback(browser: ConsoleBrowser, query: URLSearchParams): Promise<string | null> {
  const flow = browser.cookies.get(flowCookie)
  const { status, headers } = await browser.call('finishOidc', {
    query: Object.fromEntries(query),
    headers: {
      'sec-fetch-site': 'cross-site',
      cookie: flow === undefined ? '' : `${flowCookie}=${flow}`,
    },
  })
  expect(status).toBe(303)
  return headers.get('location')
}

async function invite(service: Service, name: string, role: 'owner' | 'support' = 'owner') {
  const email = `${crypto.randomUUID()}@operator.example`
  const { operator, link } = await addOperator(service.ctx, { by, name, email, role })
  return { id: operator.id, email, token: tokenFromLink(link) }
}

describe('with a real provider', () => {
  let provider: Awaited<ReturnType<typeof startIdentityProvider>>
  let service: Service
  beforeAll(async () => {
    provider = await startIdentityProvider('http://localhost:8080')
    service = await startServiceWithConsole({ environment: provider.environment })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    provider.close()
  })

  /** A whole sign-in, from the request of a page to the redirect to another. */
  const through = async (
    browser: ConsoleBrowser,
    operation: OperatorOperation,
    { login, body = {} }: { login: string; body?: object },
  ) => {
    const started = await browser.call(operation, { body })
    expect(started.body).toEqual({ location: expect.any(String) })
    const { searchParams } = new URL(await authenticateAtProvider(started.body.location, login))
    return {
      asked: new URL(started.body.location).searchParams,
      to: await followCallback(browser, searchParams),
    }
  }
  const joinAs = async (login: string, role: 'owner' | 'support' = 'owner') => {
    const browser = openConsole(service)
    const { id, token } = await invite(service, login, role)
    const { to } = await through(browser, 'acceptWithOidc', { login, body: { token } })
    expect(to).toBe('/console/')
    return { browser, id, token }
  }

  test('an invitation binds an account, which then signs in; the log says how', async () => {
    const { id, token } = await joinAs('mara')
    const again = await openConsole(service).call('acceptWithOidc', { body: { token } })
    expect(again.body.error.code).toBe('invalid_invitation')

    const browser = openConsole(service)
    const body = { return_to: '/console/tenants' }
    const { asked, to } = await through(browser, 'startOidcSignIn', { login: 'mara', body })
    expect(to).toBe('/console/tenants')
    expect([asked.get('code_challenge_method'), asked.get('response_type'), asked.get('prompt')]).toEqual([
      'S256',
      'code',
      null,
    ])
    expect((await browser.call('getMe')).body).toMatchObject({
      operator: { id, name: 'mara', role: 'owner' },
      session: { method: 'oidc' },
      passkeys: [],
      oidc_linked: true,
    })
    const listed = (await browser.call('listOperators')).body.data
    expect(listed.find((each: { id: string }) => each.id === id)).toMatchObject({ oidc_linked: true })
    await flushAudit(service.ctx)
    const { data } = await listAudit(service.ctx, { tenant_id: installationChain, limit: 20 })
    const mine = data.filter(({ actor }) => actor === `operator:${id}`).toReversed()
    expect(mine.map(({ action, detail }) => [action, detail?.['method']])).toEqual([
      ['installation.operator_joined', 'oidc'],
      ['installation.operator_signed_in', 'oidc'],
      ['installation.operator_signed_in', 'oidc'],
    ])
  })

  test('a session of the provider confirms nothing; another sign-in there does', async () => {
    const { browser } = await joinAs('cora')
    const session = new Map(browser.cookies)
    const body = { name: 'New', email: `${crypto.randomUUID()}@operator.example`, role: 'support' }
    const add = async () => (await browser.call('addOperator', { body })).status
    expect(await add()).toBe(403)
    expect((await browser.call('startConfirmation')).body).toEqual({})
    const { asked, to } = await through(browser, 'startOidcConfirmation', {
      login: 'cora',
      body: { return_to: '/console/operators' },
    })
    expect([asked.get('prompt'), asked.get('max_age'), to]).toEqual(['login', '0', '/console/operators'])
    // The same session, confirmed.
    expect(browser.cookies).toEqual(session)
    expect((await browser.call('getMe')).body.session.confirmed_until).toEqual(expect.any(String))
    expect(await add()).toBe(201)
  })

  test('a confirmation with another account, or of who has a passkey, is refused', async () => {
    const { browser } = await joinAs('dora')
    await joinAs('eve')
    const { to } = await through(browser, 'startOidcConfirmation', { login: 'eve' })
    expect(to).toBe(refused)
    expect((await browser.call('getMe')).body.session.confirmed_until).toBeUndefined()
    const withPasskey = await signInOperator(service, 'owner', `Someone ${crypto.randomUUID()}`)
    const asked = await withPasskey.call('startOidcConfirmation', { body: {} })
    expect(asked.body.error.code).toBe('confirmation_required')
  })

  test('an account that no operator accepted an invitation with cannot sign in, whatever its address', async () => {
    const address = { email: 'frida@example.com', role: 'owner' } as const
    const { link } = await addOperator(service.ctx, { by, name: 'Frida', ...address })
    const token = tokenFromLink(link)
    // The provider says that this account has that address.
    const browser = openConsole(service)
    expect((await through(browser, 'startOidcSignIn', { login: 'frida' })).to).toBe(refused)
    expect((await browser.call('getMe')).status).toBe(401)
    expect((await openConsole(service).call('readInvitation', { body: { token } })).status).toBe(200)
  })

  test('an account is that of one operator, and an operator has one account', async () => {
    const { id } = await joinAs('gina', 'support')
    const second = await invite(service, 'Second')
    const other = openConsole(service)
    const taken = await through(other, 'acceptWithOidc', { login: 'gina', body: { token: second.token } })
    expect(taken.to).toBe(refused)
    // Nothing was stored: the link still works.
    expect((await other.call('readInvitation', { body: { token: second.token } })).status).toBe(200)
    const token = tokenFromLink((await inviteOperator(service.ctx, { by, id })).link)
    const replaced = await through(other, 'acceptWithOidc', { login: 'hanna', body: { token } })
    expect(replaced.to).toBe(refused)
    const same = await through(other, 'acceptWithOidc', { login: 'gina', body: { token } })
    expect(same.to).toBe('/console/')

    // Of a removed operator nothing is left, and the account can be bound again.
    await removeOperator(service.ctx, { by, id })
    expect((await through(openConsole(service), 'startOidcSignIn', { login: 'gina' })).to).toBe(refused)
    await joinAs('gina')
  })

  test('an invitation that was used, replaced or ended in the meantime binds nothing', async () => {
    const { id, token } = await invite(service, 'Ines')
    const browser = openConsole(service)
    const started = await browser.call('acceptWithOidc', { body: { token } })
    const { searchParams } = new URL(await authenticateAtProvider(started.body.location, 'ines'))
    await inviteOperator(service.ctx, { by, id })
    expect(await followCallback(browser, searchParams)).toBe('/console/sign-in?error=invalid_invitation')
    expect((await through(openConsole(service), 'startOidcSignIn', { login: 'ines' })).to).toBe(refused)
    const unknown = await openConsole(service).call('acceptWithOidc', { body: { token: 'x'.repeat(43) } })
    expect(unknown.body.error.code).toBe('invalid_invitation')
  })

  test('a sign-in replaces the session that the browser had', async () => {
    const { browser } = await joinAs('jana')
    const old = openConsole(service)
    for (const [name, value] of browser.cookies) old.cookies.set(name, value)
    expect((await through(browser, 'startOidcSignIn', { login: 'jana' })).to).toBe('/console/')
    expect((await old.call('getMe')).status).toBe(401)
    expect((await browser.call('getMe')).body.session.others).toBe(0)
  })

  test('a sign-in that another browser started, or that declined, is refused', async () => {
    await joinAs('kira')
    const [attacker, victim] = [openConsole(service), openConsole(service)]
    const { body } = await attacker.call('startOidcSignIn', { body: {} })
    const { searchParams } = new URL(await authenticateAtProvider(body.location, 'kira'))
    expect(await followCallback(victim, searchParams)).toBe(refused)
    await victim.call('startOidcSignIn', { body: {} })
    expect(await followCallback(victim, searchParams)).toBe(refused)
    expect((await victim.call('getMe')).status).toBe(401)
    for (const query of ['error=access_denied', 'code=x&state=y', 'code=a&state=b&state=c', '']) {
      await victim.call('startOidcSignIn', { body: {} })
      expect(await followCallback(victim, new URLSearchParams(query))).toBe(refused)
    }
  })

  test('the last passkey can go if the provider is left, and only then', async () => {
    const operator = await signInOperator(service, 'support', `Lara ${crypto.randomUUID()}`)
    const remove = async () => {
      const { id } = (await operator.call('getMe')).body.passkeys[0]
      return operator.call('removePasskey', { params: { id } })
    }
    expect((await remove()).body.error.code).toBe('last_sign_in_method')
    const token = tokenFromLink((await inviteOperator(service.ctx, { by, id: operator.id })).link)
    const elsewhere = openConsole(service)
    await through(elsewhere, 'acceptWithOidc', { login: 'lara', body: { token } })
    const { body } = await operator.call('startSignIn')
    await operator.call('finishSignIn', { body: { response: operator.passkey.get(body.options) } })
    expect((await operator.call('getMe')).body.session.method).toBe('passkey')
    expect((await remove()).body).toMatchObject({ passkeys: [], oidc_linked: true })
  })

  test.each([
    'https://evil.example',
    '//evil.example',
    '/console//evil.example',
    '/dashboard',
    '/console/\\evil',
  ])('does not redirect to %s afterwards', async (return_to) => {
    expect((await openConsole(service).call('startOidcSignIn', { body: { return_to } })).status).toBe(400)
  })
})

describe('with a provider that a test controls', () => {
  let provider: HostileProvider
  let service: Service
  beforeAll(async () => {
    provider = await startHostileProvider()
    service = await startServiceWithConsole({ environment: provider.environment })
    const browser = openConsole(service)
    const { token } = await invite(service, 'Ada')
    const { body } = await browser.call('acceptWithOidc', { body: { token } })
    if ((await finish(browser, body.location)) !== '/console/') throw new Error('Ada could not sign in')
  })
  beforeEach(() => provider.setBehaviour())
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    provider.close()
  })

  /** Completes a sign-in as an honest provider would. */
  const finish = async (browser: ConsoleBrowser, location: string, more: object = {}) => {
    const { searchParams } = new URL(location)
    provider.expect(searchParams.get('nonce') ?? '')
    const query = { code: 'a-code', state: searchParams.get('state') ?? '', ...more }
    return followCallback(browser, new URLSearchParams(query))
  }
  const signInWith = async (behaviour: Partial<ProviderBehaviour>, more: object = {}) => {
    provider.setBehaviour(behaviour)
    const browser = openConsole(service)
    const { body } = await browser.call('startOidcSignIn', { body: {} })
    const to = await finish(browser, body.location, more)
    return { browser, to, status: (await browser.call('getMe')).status }
  }
  const now = () => Math.floor(Date.now() / 1000)

  test('an honest one signs in, so that the cases below fail for their own reason', async () => {
    expect(await signInWith({})).toMatchObject({ to: '/console/', status: 200 })
  })

  test.each<[string, Partial<ProviderBehaviour>]>([
    ['from another issuer', { claims: { iss: 'https://accounts.example.com' } }],
    ['for another client', { claims: { aud: 'somebody-else' } }],
    ['with another nonce', { claims: { nonce: 'another' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['that has expired', { claims: { iat: now() - 900, exp: now() - 600 } }],
    ['that is not signed', { sign: 'none' }],
    ['signed with another key', { sign: 'RS256 with another key' }],
    ['signed by HMAC with the client secret', { sign: 'HS256 with the client secret' }],
    [
      'of another subject with her address',
      { claims: { sub: 'eve', email: 'ada@operator.example', email_verified: true } },
    ],
    ['of a subject that differs in case', { claims: { sub: 'ADA' } }],
    ['with a subject of 300 characters', { claims: { sub: 'a'.repeat(300) } }],
  ])('an ID token %s does not sign in', async (_, behaviour) => {
    expect(await signInWith(behaviour)).toMatchObject({ to: refused, status: 401 })
  })

  test('another state, or a callback from another provider, does not sign in', async () => {
    expect(await signInWith({}, { state: 'another' })).toMatchObject({ to: refused, status: 401 })
    const iss = 'https://accounts.example.com'
    expect(await signInWith({}, { iss })).toMatchObject({ to: refused, status: 401 })
  })

  test('a callback works once, even with the cookie and at a provider whose codes work twice', async () => {
    const browser = openConsole(service)
    const { body } = await browser.call('startOidcSignIn', { body: {} })
    const flow = browser.cookies.get(flowCookie) ?? ''
    expect(await finish(browser, body.location)).toBe('/console/')
    expect(browser.cookies.has(flowCookie)).toBe(false)
    const thief = openConsole(service)
    thief.cookies.set(flowCookie, flow)
    expect(await finish(thief, body.location)).toBe(refused)
    expect((await thief.call('getMe')).status).toBe(401)
  })

  test('what a member started cannot be finished by an operator, and the reverse', async () => {
    const member = openBrowser(service)
    const { body } = await member.call('startOidcSignIn', { body: {} })
    const browser = openConsole(service)
    browser.cookies.set(flowCookie, member.cookies.get('vidimus_oidc') ?? '')
    expect(await finish(browser, body.location)).toBe(refused)

    const started = await browser.call('startOidcSignIn', { body: {} })
    const { searchParams } = new URL(started.body.location)
    provider.expect(searchParams.get('nonce') ?? '')
    member.cookies.set('vidimus_oidc', browser.cookies.get(flowCookie) ?? '')
    const query = { code: 'a-code', state: searchParams.get('state') ?? '' }
    const headers = { 'sec-fetch-site': 'cross-site' }
    const ended = await member.call('finishOidc', { query, headers })
    expect(ended.headers.get('location')).toContain('error=sign_in_failed')
  })

  test('a confirmation needs a sign-in at the provider that began after the request for it', async () => {
    const confirmWith = async (claims: Record<string, unknown>) => {
      const { browser } = await signInWith({})
      const { body } = await browser.call('startOidcConfirmation', { body: {} })
      provider.setBehaviour({ claims })
      const to = await finish(browser, body.location)
      return [to, (await browser.call('getMe')).body.session.confirmed_until !== undefined]
    }
    expect(await confirmWith({ auth_time: now() })).toEqual(['/console/', true])
    expect(await confirmWith({})).toEqual([refused, false])
    expect(await confirmWith({ auth_time: now() - 120 })).toEqual([refused, false])
    expect(await confirmWith({ auth_time: now(), sub: 'eve' })).toEqual([refused, false])
  })

  test('one that is down is a 503 to who wants to sign in, and a refusal to who comes back from it', async () => {
    const environment = { OPERATOR_OIDC_ISSUER: 'http://127.0.0.1:1', OPERATOR_OIDC_CLIENT_ID: 'vidimus' }
    await using away = await startServiceWithConsole({ environment })
    const response = await openConsole(away).call('startOidcSignIn', { body: {} })
    expect([response.status, response.body.error.code]).toEqual([503, 'sign_in_unavailable'])
    const gone = await signInWith({ token: (request) => void request.socket.destroy() })
    expect(gone).toMatchObject({ to: refused, status: 401 })
  })

  test('without one, nothing is offered', async () => {
    await using none = await startServiceWithConsole()
    const browser = openConsole(none)
    expect((await browser.call('getSignIn')).body).toEqual({ oidc: false })
    expect((await browser.call('startOidcSignIn', { body: {} })).status).toBe(404)
    expect(await followCallback(browser, new URLSearchParams('code=x&state=y'))).toBe(refused)
    const { host } = new URL(provider.issuer)
    expect((await openConsole(service).call('getSignIn')).body).toEqual({ oidc: true, oidc_host: host })
  })

  test('a sign-in that took longer than ten minutes is refused', async () => {
    await using other = await startServiceWithConsole({ environment: provider.environment })
    const browser = openConsole(other)
    const { token } = await invite(other, 'Ada')
    const { body } = await browser.call('acceptWithOidc', { body: { token } })
    await setClockOffset(other.ctx.db, '10 minutes 1 second')
    expect(await finish(browser, body.location)).toBe(refused)
  })
})
