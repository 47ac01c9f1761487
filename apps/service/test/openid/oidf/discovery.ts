import { expect } from 'vitest'
import { checkJwks } from './conditions.ts'
import type { Provider } from './provider.ts'

/** A scope as RFC 6749 §3.3 allows it, and a language tag in its usual case. */
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]+$/
const languageTag = /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-[A-Z]{2})?$/

/** Everything that OpenID Connect Discovery 1.0 §3 and RFC 8414 define and that we publish. The suite warns of other members. */
const known = {
  addresses: ['issuer', 'authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri'],
  lists: [
    'scopes_supported',
    'response_types_supported',
    'response_modes_supported',
    'grant_types_supported',
    'subject_types_supported',
    'id_token_signing_alg_values_supported',
    'token_endpoint_auth_methods_supported',
    'code_challenge_methods_supported',
    'claims_supported',
    'ui_locales_supported',
  ],
  flags: [
    'claims_parameter_supported',
    'request_parameter_supported',
    'request_uri_parameter_supported',
    'authorization_response_iss_parameter_supported',
  ],
}

/** The conditions of `oidcc-discovery-endpoint-verification`. */
export async function checkDiscovery({ site, call, jwks }: Provider): Promise<void> {
  const { status, headers, body } = await call(`${site.issuer}/.well-known/openid-configuration`)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toMatch(/^application\/json\b/)
  expect(body.issuer).toBe(site.issuer)
  expect(Object.keys(body).toSorted()).toEqual(Object.values(known).flat().toSorted())
  for (const name of known.addresses) {
    const { protocol, hash, search } = new URL(body[name])
    expect([name, protocol, hash, search]).toEqual([name, 'https:', '', ''])
  }
  for (const name of known.lists) {
    expect([name, body[name]]).toEqual([name, expect.arrayContaining([expect.any(String)])])
    expect([name, new Set(body[name]).size]).toEqual([name, body[name].length])
  }
  for (const name of known.flags) expect([name, typeof body[name]]).toEqual([name, 'boolean'])
  expect(body.response_types_supported).toContain('code')
  expect(['pairwise', 'public']).toEqual(expect.arrayContaining(body.subject_types_supported))
  expect(body.id_token_signing_alg_values_supported).toContain('RS256')
  expect(body.scopes_supported).toContain('openid')
  expect(body.claims_supported).toContain('sub')
  expect(body.token_endpoint_auth_methods_supported).toEqual(
    expect.arrayContaining(['client_secret_basic', 'client_secret_post']),
  )
  for (const scope of body.scopes_supported) expect(scope).toMatch(scopeToken)
  for (const language of body.ui_locales_supported) expect(language).toMatch(languageTag)
  await checkJwks(jwks)
}
