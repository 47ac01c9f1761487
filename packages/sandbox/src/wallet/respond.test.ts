import { expect, test } from 'vitest'
import { startVerifier, type RequestAlterations } from '../../test/verifier.ts'
import { ageAttestation } from '../documents/age-attestation.ts'
import { adult } from '../documents/people.ts'
import { pid } from '../documents/pid.ts'
import { createIssuer } from '../issuer/create-issuer.ts'
import { respond, type RespondOptions } from './respond.ts'

const now = new Date()
const person = adult(now)
const wallet = {
  issuer: createIssuer({ now }),
  credentials: [...pid(person, now), ageAttestation(person, now)],
}

const queriesByFormat = {
  'dc+sd-jwt': {
    credentials: [
      {
        id: 'pid',
        format: 'dc+sd-jwt',
        meta: { vct_values: ['urn:eudi:pid:1'] },
        claims: [{ path: ['given_name'] }, { path: ['nationalities', null] }],
      },
    ],
  },
  mso_mdoc: {
    credentials: [
      {
        id: 'pid',
        format: 'mso_mdoc',
        meta: { doctype_value: 'eu.europa.ec.eudi.pid.1' },
        claims: [{ path: ['eu.europa.ec.eudi.pid.1', 'given_name'] }],
      },
    ],
  },
}
const query = queriesByFormat['dc+sd-jwt']

function respondTo(wallet_uri: string, more: Partial<RespondOptions> = {}) {
  return respond({ wallet, wallet_uri, fetch, now: () => now, sleep: async () => {}, ...more })
}

test.each([
  ['dc+sd-jwt', 'x509_hash', 'get'],
  ['dc+sd-jwt', 'x509_san_dns', 'post'],
  ['mso_mdoc', 'x509_hash', 'post'],
  ['mso_mdoc', 'x509_san_dns', 'get'],
] as const)(
  'the wallet responds to a valid request: %s, %s, fetched by %s',
  async (format, prefix, method) => {
    await using verifier = await startVerifier({ query: queriesByFormat[format], prefix, method })

    const result = await respondTo(verifier.wallet_uri, { verifier_anchors: [verifier.root] })

    expect(result).toEqual({ sent: true, http_status: 200, body: '{}' })
    expect(verifier.responses).toEqual([
      { vp_token: { pid: [expect.any(String)] }, state: expect.stringMatching(/^[\w-]{43}$/) },
    ])
  },
)

test('a holder who declines sends an unencrypted error with the state', async () => {
  await using verifier = await startVerifier({ query })

  await respondTo(verifier.wallet_uri, { behaviour: 'declines' })

  expect(verifier.responses).toEqual([
    { error: 'access_denied', error_description: expect.any(String), state: expect.any(String) },
  ])
})

test('a holder without a matching document declines too', async () => {
  await using verifier = await startVerifier({ query })

  await respondTo(verifier.wallet_uri, { wallet: { ...wallet, credentials: [] } })

  expect(verifier.responses[0]).toMatchObject({ error: 'access_denied' })
})

test("a holder who responds twice gets the verifier's reply to the second response", async () => {
  await using verifier = await startVerifier({ query })

  expect(await respondTo(verifier.wallet_uri, { behaviour: 'responds_twice' })).toMatchObject({
    http_status: 409,
  })
})

test('a holder who responds late waits until the request has expired', async () => {
  await using verifier = await startVerifier({ query, now })
  const waits: number[] = []

  await respondTo(verifier.wallet_uri, {
    behaviour: 'responds_late',
    sleep: async (ms) => void waits.push(Math.round(ms / 1000)),
  })

  expect(waits).toEqual([expect.toSatisfy((seconds: number) => seconds === 300 || seconds === 301)])
})

test.each([
  'eu-eaap://',
  'haip-vp://',
  'eudi-openid4vp://',
  'mdoc-openid4vp://',
  'https://wallet.example/open',
])('the wallet opens a link that begins with %s like any other', async (beginning) => {
  await using verifier = await startVerifier({ query })

  const uri = verifier.wallet_uri.replace('openid4vp://', beginning)

  expect(await respondTo(uri, { verifier_anchors: [verifier.root] })).toMatchObject({ sent: true })
  expect(verifier.responses).toHaveLength(1)
})

test("if the verifier refuses to serve the request object, the result is the verifier's refusal", async () => {
  const result = await respondTo('openid4vp://?client_id=a&request_uri=https%3A%2F%2Fverifier.example', {
    fetch: async () => new Response('{"error":{"code":"session_expired"}}', { status: 410 }),
  })

  expect(result).toEqual({
    sent: true,
    http_status: 410,
    body: '{"error":{"code":"session_expired"}}',
  })
})

test('[PAGE-5] the wallet fetches a request_uri with a query, as a QR code on a screen has it', async () => {
  const fetched: string[] = []
  await respondTo('openid4vp://?client_id=a&request_uri=https%3A%2F%2Fverifier.example%2Fr%3Fvia%3Dscreen', {
    fetch: async (url) => {
      fetched.push(url)
      return new Response('', { status: 410 })
    },
  })

  expect(fetched).toEqual(['https://verifier.example/r?via=screen'])
})

test('the wallet does not respond to a verifier whose root it does not trust', async () => {
  await using verifier = await startVerifier({ query })
  await using otherVerifier = await startVerifier({ query })

  const result = await respondTo(verifier.wallet_uri, { verifier_anchors: [otherVerifier.root] })

  expect(result).toMatchObject({ sent: false, violations: [{ rule: 'x5c.trust' }] })
  expect(verifier.responses).toEqual([])
})

const invalidRequests: [string, RequestAlterations][] = [
  ['request.typ', { header: { typ: 'jwt' } }],
  ['request.header', { header: { jku: 'https://verifier.example/keys' } }],
  ['x5c.form', { header: { x5c: [] } }],
  ['request.client_id', { claims: { client_id: 'x509_hash:another' } }],
  ['request.response_type', { claims: { response_type: 'vp_token id_token' } }],
  ['request.response_mode', { claims: { response_mode: 'direct_post' } }],
  ['request.response_uri', { claims: { response_uri: 'https://elsewhere.example/response' } }],
  ['request.aud', { claims: { aud: ['https://self-issued.me/v2'] } }],
  ['request.nonce', { claims: { nonce: 'short' } }],
  ['request.nonce', { claims: { nonce: 'not+url/safe+not+url/safe' } }],
  ['request.state', { claims: { state: undefined } }],
  ['request.exp', { claims: { exp: Math.floor(now.getTime() / 1000) } }],
  ['request.iat', { claims: { iat: Math.floor(now.getTime() / 1000) + 3600 } }],
  ['request.wallet_nonce', { claims: { wallet_nonce: 'of another wallet' } }],
  ['request.parameters', { claims: { redirect_uri: 'https://verifier.example' } }],
  ['request.parameters', { claims: { presentation_definition: {} } }],
  ['client_metadata.form', { claims: { client_metadata: undefined } }],
  ['dcql.credentials', { claims: { dcql_query: { credentials: [] } } }],
  ['request.content_type', { http_headers: { 'content-type': 'application/jwt' } }],
  ['request.cache_control', { http_headers: { 'cache-control': 'max-age=60' } }],
]

test.each(invalidRequests)('the wallet names the violated rule: %s %j', async (rule, alterations) => {
  await using verifier = await startVerifier({ query, alterations })

  const result = await respondTo(verifier.wallet_uri)

  expect(result.sent).toBe(false)
  expect('violations' in result && result.violations.map(({ rule: each }) => each)).toContain(rule)
  expect(verifier.responses).toEqual([])
})

test.each([
  ['uri.scheme', 'other://?client_id=a&request_uri=https%3A%2F%2Fverifier.example'],
  ['uri.scheme', 'http://verifier.example/?client_id=a'],
  ['uri.client_id', 'openid4vp://?request_uri=https%3A%2F%2Fverifier.example'],
  ['uri.request_uri', 'openid4vp://?client_id=a&request_uri=http%3A%2F%2Fverifier.example'],
  ['uri.parameters', 'openid4vp://?client_id=a&request_uri=https%3A%2F%2Fverifier.example&nonce=b'],
  [
    'uri.request_uri_method',
    'openid4vp://?client_id=a&request_uri=https%3A%2F%2Fv.example&request_uri_method=PUT',
  ],
])('the wallet names the rule that the URI violates: %s', async (rule, uri) => {
  expect(await respondTo(uri)).toMatchObject({ sent: false, violations: [{ rule }] })
})
