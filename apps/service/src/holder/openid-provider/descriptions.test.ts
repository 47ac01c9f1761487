import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCookieJar } from '../../../test/openid/cookie-jar.ts'
import { callback, registerSite, type Site } from '../../../test/openid/site.ts'
import { startService, type Service } from '../../../test/service.ts'

let service: Service
let site: Site
beforeAll(async () => {
  service = await startService()
  site = await registerSite(service, { templates: ['age_over_18', 'age_over_16'] })
})
afterAll(() => service[Symbol.asyncDispose]())

/** RFC 6749 §4.1.2.1 and §5.2. */
const allowed = /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/

const pages: [string, Record<string, string | undefined>][] = [
  ['client_id is missing.', { client_id: undefined }],
  ['client_id is not known to this issuer. Copy both', { client_id: 'oc_AAAAAAAAAAAAAAAAAAAAAA' }],
  ['redirect_uri is missing.', { redirect_uri: undefined }],
  [
    `If it is an address of your own site, add it exactly as sent, on the dashboard under OpenID clients, Edit: ${callback}/</small>`,
    { redirect_uri: `${callback}/` },
  ],
  ['under OpenID clients, Edit.</small>', { redirect_uri: 'Call us: 0900 1234' }],
  ['under OpenID clients, Edit.</small>', { redirect_uri: `https://shop.example/${'x'.repeat(300)}` }],
]
test('a page says what is wrong with the client or its address, and what to change', async () => {
  for (const [text, changed] of pages)
    expect(await site.authorize(openCookieJar(service), site.request(changed).params)).toMatchObject({
      status: 400,
      page: expect.stringContaining(text),
    })
  const hostile = site.request({ redirect_uri: 'https://shop.example/<b>&' })
  expect(await site.authorize(openCookieJar(service), hostile.params)).toMatchObject({
    page: expect.stringContaining('Edit: https://shop.example/&lt;b&gt;&amp;</small>'),
  })
})

const redirects: [string, Record<string, string | undefined>][] = [
  [
    'code_challenge is missing. Switch PKCE on',
    { code_challenge: undefined, code_challenge_method: undefined },
  ],
  ['code_challenge_method must be S256.', { code_challenge_method: 'plain' }],
  ['scope must contain openid. The dashboard', { scope: 'profile' }],
  ['scope must name a template, since this client has several', { scope: 'openid profile email' }],
  ['scope must name only one template', { scope: 'openid vidimus:age_over_18 vidimus:age_over_16' }],
  ['may not ask with: age_over_21. The dashboard', { scope: 'openid vidimus:age_over_21' }],
  ['may not ask with. The dashboard', { scope: 'openid vidimus:"\\é' }],
  ['response_type must be code. Choose', { response_type: 'id_token' }],
  ['prompt must not be none', { prompt: 'none' }],
  ['The parameter request is not supported. Switch', { request: 'x' }],
]
test('an error at the site names the parameter and what to change, and no template that the client has', async () => {
  const described = async (params: URLSearchParams) => {
    const end = await site.authorize(openCookieJar(service), params)
    return 'returned' in end ? (end.returned.searchParams.get('error_description') ?? '') : ''
  }
  for (const [text, changed] of redirects) {
    const description = await described(site.request(changed).params)
    expect([text, description]).toEqual([text, expect.stringContaining(text)])
    expect(description).toMatch(allowed)
    expect(description).not.toContain('age_over_16')
  }
  const repeated = site.request().params
  repeated.append('nonce', 'again')
  expect(await described(repeated)).toBe('nonce is given more than once.')
})

test('an error of the token endpoint says which of its values is wrong, and not whether a client exists', async () => {
  const { code, verifier } = await site.obtainCode()
  const right = { code, code_verifier: verifier }
  const other = await registerSite(service, { merchant: site.merchant })
  const describe = async (response: ReturnType<Site['exchange']>): Promise<string> => {
    const { error_description } = (await response).body
    expect(error_description).toMatch(allowed)
    return error_description
  }
  const unknown = await describe(site.exchange({ ...right, client_id: 'oc_unknown' }))
  expect(unknown).toContain('Copy the client ID again')
  expect(await describe(site.exchange({ ...right, client_secret: other.secret }))).toBe(unknown)
  const withoutSecret = await describe(site.exchange({ ...right, client_secret: undefined }))
  expect(withoutSecret).toContain('a secret that was not sent')
  expect(await describe(site.exchange({ ...right, client_id: 'oc_unknown', client_secret: undefined }))).toBe(
    withoutSecret,
  )
  for (const [text, changed] of [
    ['client_id is missing', { client_id: undefined, client_secret: undefined }],
    ['code_verifier is missing. The site must use PKCE', { code_verifier: undefined }],
    ['code_verifier does not belong', { code_verifier: 'v'.repeat(43) }],
    ['redirect_uri must be the one of the authorization request', { redirect_uri: `${callback}/` }],
    ['redirect_uri is missing', { redirect_uri: undefined }],
    ['code is missing', { code: undefined }],
    ['The code is wrong, belongs to another client', { code: 'x' }],
  ] as const)
    expect(await describe(site.exchange({ ...right, ...changed }))).toContain(text)
  // A code of another client is like one that was never issued.
  expect(await describe(other.exchange(right))).toBe(await describe(other.exchange({ ...right, code: 'x' })))

  const { access_token } = (await site.exchange(right)).body
  expect(await describe(site.exchange(right))).toContain('The code was used before.')
  expect(await describe(site.userinfo(access_token))).toContain('unknown or has expired')
  expect(await describe(site.userinfo('', { headers: { authorization: '' } }))).toContain('is missing')
  const { body } = await service.anonymous.get('/oidc/aunknown/.well-known/openid-configuration')
  expect(body).toEqual({
    error: 'invalid_request',
    error_description: expect.stringMatching(/^There is no such issuer\. Copy it/),
  })
})
