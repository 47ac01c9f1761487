import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCookieJar } from '../../../test/openid/cookie-jar.ts'
import { callback, registerSite, type Site } from '../../../test/openid/site.ts'
import { startService, type Service } from '../../../test/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const methods = { ClientSecretBasic, ClientSecretPost, None }

/** A client that checks everything that OpenID Connect asks it to check. */
async function discover(site: Site, method: keyof typeof methods) {
  const authentication = method === 'None' ? None() : methods[method](site.secret ?? '')
  return discovery(new URL(site.issuer), site.client_id, {}, authentication, {
    [customFetch]: (url, init) =>
      fetch(url.replace(service.ctx.config.BASE_URL, service.address), init as RequestInit),
    execute: [allowInsecureRequests, enableNonRepudiationChecks],
  })
}

for (const id_token_algorithm of ['RS256', 'ES256'] as const)
  for (const method of ['ClientSecretBasic', 'ClientSecretPost', 'None'] as const)
    test(`openid-client completes the flow with ${id_token_algorithm} and ${method}`, async () => {
      const site = await registerSite(service, {
        id_token_algorithm,
        authentication: method === 'None' ? 'none' : 'secret',
      })
      const configuration = await discover(site, method)
      const [verifier, nonce, state] = [randomPKCECodeVerifier(), randomNonce(), randomState()]
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri: callback,
        scope: 'openid profile vidimus:age_over_18',
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        nonce,
        state,
      })
      const browser = openCookieJar(service)
      const end = await browser.open(url.href)
      if (!('id' in end)) throw new Error(JSON.stringify(end))
      const returned = await site.respond(browser, end.id)
      const tokens = await authorizationCodeGrant(configuration, returned, {
        pkceCodeVerifier: verifier,
        expectedNonce: nonce,
        expectedState: state,
        idTokenExpected: true,
        maxAge: 60,
      })
      const claims = tokens.claims()
      expect(claims).toMatchObject({
        iss: site.issuer,
        aud: site.client_id,
        acr: 'vidimus:age_over_18',
        sub_type: 'ephemeral',
        verified: { age_over_18: true },
        verification: { id: end.id, environment: 'test' },
      })
      const userinfo = await fetchUserInfo(configuration, tokens.access_token, claims?.sub ?? '')
      expect(userinfo['verified']).toEqual({ age_over_18: true })
      const read = await site.merchant.get(`/v1/verifications/${end.id}`)
      expect(read.body).toMatchObject({ status: 'completed', purpose: 'To sell you wine' })
    })

test('every channel of the page leads back to the site', async () => {
  const site = await registerSite(service)
  for (const channel of ['redirect', 'screen', 'dc_api', 'annex_c'] as const) {
    const { code, verifier } = await site.obtainCode({ channel })
    const exchanged = await site.exchange({ code, code_verifier: verifier })
    expect([channel, exchanged.status]).toEqual([channel, 200])
  }
})
