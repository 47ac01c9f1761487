import { expect, test } from 'vitest'
import { createIssuer } from '../../issuer/create-issuer.ts'
import { findPersona } from '../../personas.ts'
import type { Fetch } from '../fetch-request.ts'
import { respond, type RespondOptions } from '../respond.ts'

const now = new Date()
const wallet = { issuer: createIssuer({ now }), credentials: findPersona('adult')?.credentials(now) ?? [] }
const response_uri = 'https://verifier.example/wallet/response/vs_1?via=age_app'
const query = {
  credentials: [
    {
      id: 'proof_of_age',
      format: 'mso_mdoc',
      meta: { doctype_value: 'eu.europa.ec.av.1' },
      claims: [{ path: ['eu.europa.ec.av.1', 'age_over_18'] }],
    },
  ],
}
const parameters = {
  response_type: 'vp_token',
  response_mode: 'direct_post',
  client_id: `redirect_uri:${response_uri}`,
  response_uri,
  dcql_query: JSON.stringify(query),
  nonce: 'n'.repeat(43),
  state: 's'.repeat(43),
}

/** Responds to an `av://` link and records what is posted. */
async function respondTo(
  changes: Record<string, string | undefined> = {},
  options: Partial<RespondOptions> = {},
) {
  const posts: { url: string; fields: Record<string, string> }[] = []
  const fetch: Fetch = async (url, { body = '' }) => {
    posts.push({ url, fields: Object.fromEntries(new URLSearchParams(body)) })
    return new Response('{}')
  }
  const members = Object.entries({ ...parameters, ...changes }).filter(([, value]) => value !== undefined)
  const wallet_uri = `av://?${new URLSearchParams(members).toString()}`
  const result = await respond({
    wallet,
    wallet_uri,
    fetch,
    now: () => now,
    sleep: async () => {},
    ...options,
  })
  return { result, posts }
}

test('[DC-12] the age app posts vp_token as JSON and the state, unencrypted, to response_uri', async () => {
  const { result, posts } = await respondTo()

  expect(result).toEqual({ sent: true, http_status: 200, body: '{}' })
  expect(posts).toEqual([
    { url: response_uri, fields: { vp_token: expect.any(String), state: parameters.state } },
  ])
  expect(JSON.parse(posts[0]?.fields['vp_token'] ?? '')).toEqual({ proof_of_age: [expect.any(String)] })
})

test('[DC-12] a holder who declines, or has no proof of age, posts an error with the state', async () => {
  for (const options of [{ behaviour: 'declines' as const }, { wallet: { ...wallet, credentials: [] } }]) {
    const { posts } = await respondTo({}, options)
    expect(posts).toMatchObject([{ fields: { error: 'access_denied', state: parameters.state } }])
  }
})

test('[DC-12] state is optional', async () => {
  const { posts } = await respondTo({ state: undefined })

  expect(posts).toEqual([{ url: response_uri, fields: { vp_token: expect.any(String) } }])
})

test.each<[string, Record<string, string | undefined>]>([
  ['uri.parameters', { request_uri: 'https://verifier.example/request' }],
  ['request.response_type', { response_type: 'code' }],
  ['request.response_mode', { response_mode: 'direct_post.jwt' }],
  ['request.response_uri', { response_uri: 'http://verifier.example/response' }],
  ['request.client_id', { client_id: 'redirect_uri:https://elsewhere.example/response' }],
  ['request.client_id', { client_id: response_uri }],
  ['request.nonce', { nonce: undefined }],
  ['request.nonce', { nonce: 'short' }],
  ['request.state', { state: 'short' }],
  ['client_metadata.members', { client_metadata: '{"jwks":{}}' }],
  ['client_metadata.members', { client_metadata: 'not JSON' }],
  ['client_metadata.vp_formats', { client_metadata: '{"vp_formats_supported":{}}' }],
  ['dcql.credentials', { dcql_query: undefined }],
  ['dcql.credentials', { dcql_query: 'not JSON' }],
  [
    'dcql.format',
    {
      dcql_query: JSON.stringify({
        credentials: [...query.credentials, { id: 'pid', format: 'dc+sd-jwt', meta: {} }],
      }),
    },
  ],
])(
  '[DC-12] the age app names the rule that a link violates, and posts nothing: %s %j',
  async (rule, changes) => {
    const { result, posts } = await respondTo(changes)

    expect('violations' in result && result.violations.map((each) => each.rule)).toContain(rule)
    expect(posts).toEqual([])
  },
)

test('it does not respond late, because the link does not say when it expires', async () => {
  const { result } = await respondTo({}, { behaviour: 'responds_late' })

  expect(result).toMatchObject({ sent: false, violations: [{ rule: 'wallet.late' }] })
})
