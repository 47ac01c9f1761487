import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CookieJar } from '../../../test/openid/cookie-jar.ts'
import { checkTokenError, findUnaskedClaims } from '../../../test/openid/oidf/conditions.ts'
import { checkDiscovery } from '../../../test/openid/oidf/discovery.ts'
import { modules, type Module } from '../../../test/openid/oidf/modules.ts'
import {
  exchange,
  runFlow,
  startProvider,
  type Flow,
  type FlowOptions,
  type Provider,
} from '../../../test/openid/oidf/provider.ts'
import {
  callUserinfo,
  expectPage,
  expectSecondVerification,
  requestError,
  reuseCode,
  unsignedRequest,
} from '../../../test/openid/oidf/steps.ts'

/**
 * The certification plans of the OpenID Foundation for a provider with registered clients, module by module, over real HTTP. This is not
 * the suite itself: it re-enacts what each module sends and checks. The suite sends PKCE in one module only, so its client must not require
 * it. The suite itself would stop at the one module that sends neither PKCE nor a nonce.
 */
type Warnings = string[]
type Entry =
  /** Run: every condition holds, except for those that are warnings to the suite. */
  | { run: () => Promise<Warnings>; warnings?: Warnings }
  /** Not applicable, for this reason, which the test proves. */
  | { not_applicable: string; prove: () => Promise<void> }

let provider: Provider
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(() => provider[Symbol.asyncDispose]())

/** A module that only adds something to a request which must succeed. */
const succeedsWith = (changed: FlowOptions['changed'] = {}): Entry => ({
  run: async () => (await runFlow(provider, { changed }), []),
})

const scopeNotOffered = (...scopes: string[]): Entry => ({
  not_applicable:
    'The template says what is disclosed, not a scope. The suite skips scopes that discovery does not list.',
  prove: async () => {
    expect(provider.metadata.scopes_supported).not.toEqual(expect.arrayContaining(scopes))
    const asked = await runFlow(provider, { changed: { scope: ['openid', ...scopes].join(' ') } })
    const plain = await runFlow(provider)
    expect(Object.keys(asked.userinfo).toSorted()).toEqual(Object.keys(plain.userinfo).toSorted())
  },
})

/** The modules that expect a second answer without the person. */
const noSignOn = (changed: (first: Flow) => Record<string, string>): Entry => ({
  not_applicable: 'There is no single sign-on: every verification needs the person and the wallet.',
  prove: async () => {
    const first = await runFlow(provider, { changed: { max_age: '15000' } })
    const more = changed(first)
    if (more['prompt'] === 'none')
      expect(await requestError(provider, more, first.browser)).toBe('login_required')
    else await expectSecondVerification(provider, first, more)
  },
})

const plan: Record<Module, Entry> = {
  'oidcc-server': {
    run: async () => {
      const { claims } = await runFlow(provider)
      expect(claims).not.toHaveProperty('name')
      return findUnaskedClaims(claims)
    },
    warnings: ['sub_type', 'verification', 'verified'],
  },
  'oidcc-response-type-missing': {
    run: async () => {
      const error = await requestError(provider, { response_type: undefined })
      expect(['invalid_request', 'unsupported_response_type']).toContain(error)
      return []
    },
  },
  'oidcc-idtoken-signature': {
    run: async () => {
      const { alg, kid } = decodeProtectedHeader((await runFlow(provider)).id_token)
      expect(alg).toBe('RS256')
      expect(provider.jwks.keys).toContainEqual(expect.objectContaining({ kid, kty: 'RSA' }))
      return []
    },
  },
  'oidcc-idtoken-unsigned': {
    not_applicable: 'ID tokens are always signed. The suite skips this where discovery does not list none.',
    prove: () => {
      expect(provider.metadata.id_token_signing_alg_values_supported).not.toContain('none')
      return Promise.resolve()
    },
  },
  'oidcc-userinfo-get': { run: () => callUserinfo(provider, (token) => provider.site.userinfo(token)) },
  'oidcc-userinfo-post-header': {
    run: () => callUserinfo(provider, (token) => provider.site.userinfo(token, { method: 'POST' })),
  },
  'oidcc-userinfo-post-body': {
    run: async () => {
      const { access_token } = await runFlow(provider)
      const body = new URLSearchParams({ access_token })
      const { status } = await provider.call(provider.metadata.userinfo_endpoint, { method: 'POST', body })
      return status >= 400 && status < 500 ? [`status ${status}`] : []
    },
    warnings: ['status 401'],
  },
  'oidcc-ensure-request-without-nonce-succeeds-for-code-flow': {
    not_applicable: 'A request without PKCE must have a nonce. With PKCE it succeeds without.',
    prove: async () => {
      expect(await requestError(provider, { nonce: undefined })).toBe('invalid_request')
      await runFlow(provider, { changed: { nonce: undefined }, pkce: true })
    },
  },
  'oidcc-scope-profile': scopeNotOffered('profile'),
  'oidcc-scope-email': scopeNotOffered('email'),
  'oidcc-scope-address': scopeNotOffered('address'),
  'oidcc-scope-phone': scopeNotOffered('phone'),
  'oidcc-scope-all': scopeNotOffered('address', 'email', 'phone', 'profile'),
  'oidcc-alternate-happy-flow': {
    run: async () => {
      const send = (browser: CookieJar, params: URLSearchParams) =>
        provider.site.authorize(browser, new URLSearchParams(Array.from(params).toReversed()))
      const { claims, userinfo } = await runFlow(provider, {
        changed: { scope: 'email vidimus:age_over_18 openid' },
        send,
      })
      for (const said of [claims, userinfo]) {
        expect(said).not.toHaveProperty('name')
        expect(said).not.toHaveProperty('email')
      }
      return []
    },
  },
  'oidcc-display-page': succeedsWith({ display: 'page' }),
  'oidcc-display-popup': succeedsWith({ display: 'popup' }),
  'oidcc-prompt-login': {
    run: async () => (
      await expectSecondVerification(provider, await runFlow(provider), { prompt: 'login' }),
      []
    ),
  },
  'oidcc-prompt-none-not-logged-in': {
    run: async () => {
      expect(await requestError(provider, { prompt: 'none', state: 'x'.repeat(128) })).toBe('login_required')
      return []
    },
  },
  'oidcc-prompt-none-logged-in': noSignOn(() => ({ prompt: 'none' })),
  'oidcc-max-age-1': {
    run: async () => (
      await expectSecondVerification(provider, await runFlow(provider), { max_age: '1' }),
      []
    ),
  },
  'oidcc-max-age-10000': noSignOn(() => ({ max_age: '10000' })),
  'oidcc-ensure-request-with-unknown-parameter-succeeds': succeedsWith({ extra: 'foobar' }),
  'oidcc-id-token-hint': noSignOn(({ id_token }) => ({ prompt: 'none', id_token_hint: id_token })),
  'oidcc-login-hint': succeedsWith({ login_hint: 'buffy@id.example' }),
  'oidcc-ui-locales': succeedsWith({ ui_locales: 'se' }),
  'oidcc-claims-locales': succeedsWith({ claims_locales: 'se' }),
  'oidcc-ensure-request-with-acr-values-succeeds': {
    run: async () => {
      expect(provider.metadata).not.toHaveProperty('acr_values_supported')
      const { claims } = await runFlow(provider, { changed: { acr_values: '1 2' } })
      return ['1', '2'].includes(String(claims['acr'])) ? [] : [`acr ${String(claims['acr'])}`]
    },
    warnings: ['acr vidimus:age_over_18'],
  },
  'oidcc-codereuse': { run: () => reuseCode(provider, '0 seconds') },
  'oidcc-codereuse-30seconds': { run: () => reuseCode(provider, '30 seconds') },
  'oidcc-ensure-registered-redirect-uri': {
    run: async () => {
      await expectPage(provider, { redirect_uri: `https://shop.example/callback${crypto.randomUUID()}` })
      return []
    },
  },
  'oidcc-ensure-post-request-succeeds': {
    run: async () => {
      const send = async (browser: CookieJar, params: URLSearchParams) => {
        const url = provider.metadata.authorization_endpoint
        const { headers } = await provider.call(url, { method: 'POST', body: params })
        return browser.open(headers.get('location') ?? '')
      }
      await runFlow(provider, { send })
      return []
    },
  },
  'oidcc-server-client-secret-post': {
    run: async () => (await runFlow(provider, { authentication: 'client_secret_post' }), []),
  },
  'oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported': {
    run: async () => {
      const hidden = { request_uri: 'https://shop.example/request#1', state: undefined, nonce: undefined }
      expect(await requestError(provider, hidden)).toBe('request_uri_not_supported')
      return []
    },
  },
  'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported': {
    run: async () => {
      const hidden = { request: unsignedRequest(provider), state: undefined, nonce: undefined }
      expect(await requestError(provider, hidden)).toBe('request_not_supported')
      return []
    },
  },
  'oidcc-claims-essential': {
    run: async () => {
      const { claims, userinfo } = await runFlow(provider, {
        changed: { claims: JSON.stringify({ userinfo: { name: { essential: true } } }) },
      })
      expect(claims).not.toHaveProperty('name')
      return 'name' in userinfo ? [] : ['no name in userinfo']
    },
    warnings: ['no name in userinfo'],
  },
  'oidcc-ensure-request-object-with-redirect-uri': {
    run: async () => {
      await expectPage(provider, {
        request: unsignedRequest(provider),
        redirect_uri: 'https://shop.example/callback_invalid',
      })
      return []
    },
  },
  'oidcc-refresh-token': {
    not_applicable: 'There are no refresh tokens: a verification is of one moment.',
    prove: async () => {
      expect(provider.metadata.grant_types_supported).toEqual(['authorization_code'])
      const { response, access_token } = await runFlow(provider, {
        changed: { scope: 'openid offline_access' },
      })
      expect(response).not.toHaveProperty('refresh_token')
      const form = { grant_type: 'refresh_token', refresh_token: access_token }
      checkTokenError(await exchange(provider, form), 'unsupported_grant_type')
    },
  },
  'oidcc-ensure-request-with-valid-pkce-succeeds': {
    run: async () => (await runFlow(provider, { pkce: true }), []),
  },
  'oidcc-discovery-endpoint-verification': { run: async () => (await checkDiscovery(provider), []) },
}

test('every module of the two plans is run, or not applicable for a reason', () => {
  expect(Object.keys(plan)).toEqual([...modules])
  for (const [name, entry] of Object.entries(plan))
    expect([name, 'run' in entry || entry.not_applicable.length > 20]).toEqual([name, true])
})

test.each(Object.entries(plan).map(([name, entry]) => [describeEntry(name, entry), entry] as const))(
  '%s',
  async (_title, entry) => {
    const warnings = 'run' in entry ? await entry.run() : await entry.prove()
    expect(warnings).toEqual('run' in entry ? (entry.warnings ?? []) : undefined)
  },
)

function describeEntry(name: string, entry: Entry): string {
  return 'run' in entry ? name : `${name} is not applicable: ${entry.not_applicable}`
}

test('clients are registered by members only: discovery names no registration', () => {
  expect(provider.metadata).not.toHaveProperty('registration_endpoint')
})
