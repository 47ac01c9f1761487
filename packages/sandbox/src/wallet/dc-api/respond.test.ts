import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createDcVerifier, origin, type DcVerifierOptions } from '../../../test/dc-verifier.ts'
import { ageVerification } from '../../../test/published-vectors.ts'
import { embedCbor, encodeCbor, textMap, type Cbor } from '../../cbor/encode.ts'
import { createIssuer } from '../../issuer/create-issuer.ts'
import { findPersona } from '../../personas.ts'
import { respondToDcApi, type RespondToDcApiOptions } from './respond.ts'

const now = new Date()
const wallet = { issuer: createIssuer({ now }), credentials: findPersona('adult')?.credentials(now) ?? [] }
const query = {
  credentials: [
    {
      id: 'pid',
      format: 'dc+sd-jwt',
      meta: { vct_values: ['urn:eudi:pid:1'] },
      claims: [{ path: ['given_name'] }],
    },
  ],
}
const mdlAndAge = {
  'org.iso.18013.5.1.mDL': { 'org.iso.18013.5.1': ['given_name', 'family_name'] },
  'eu.europa.ec.av.1': { 'eu.europa.ec.av.1': ['age_over_18'] },
  'org.example.nobody.1': { 'org.example.nobody': ['anything'] },
}

type Verifier = Awaited<ReturnType<typeof createDcVerifier>>

async function present(
  verifierOptions: Partial<DcVerifierOptions>,
  walletOptions: Partial<RespondToDcApiOptions>,
) {
  const verifier = await createDcVerifier({ query, now, ...verifierOptions })
  const { requests, root } = verifier
  const result = await respondToDcApi({
    wallet,
    requests,
    origin,
    now,
    verifier_anchors: [root],
    ...walletOptions,
  })
  return { verifier, result }
}

async function responded(
  verifierOptions: Partial<DcVerifierOptions>,
  walletOptions: Partial<RespondToDcApiOptions>,
) {
  const { verifier, result } = await present(verifierOptions, walletOptions)
  if (!result.sent) throw new Error(JSON.stringify(result.violations))
  return { verifier, ...result }
}

async function violatedRules(...args: Parameters<typeof present>): Promise<string[]> {
  const { result } = await present(...args)
  return result.sent ? [] : result.violations.map(({ rule }) => rule)
}

/** The docTypes and the disclosed elements of a DeviceResponse. */
async function documentsIn(verifier: Verifier, response: string | undefined) {
  // The sandbox wrote this DeviceResponse.
  const opened = (await verifier.openAnnexC(response ?? '')) as Map<string, Map<string, unknown>[]>
  return (opened.get('documents') ?? []).map((document) => document.get('docType'))
}

describe('the wallet answers', () => {
  test('openid4vp-v1-signed with an encrypted vp_token for the origin, without state', async () => {
    const { verifier, protocol, data } = await responded({}, {})
    const opened = await verifier.openJwe(data['response'] ?? '')

    expect(protocol).toBe('openid4vp-v1-signed')
    expect(opened).toEqual({ vp_token: { pid: [expect.any(String)] } })
    const [kbJwt = ''] = JSON.stringify(opened).match(/[\w-]+\.[\w-]+\.[\w-]+(?="\])/) ?? []
    expect(JSON.parse(Buffer.from(kbJwt.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({
      aud: `origin:${origin}`,
    })
  })

  test('org-iso-mdoc with one document for each requested docType that it holds', async () => {
    const { verifier, protocol, data } = await responded({ documents: mdlAndAge }, { channel: 'annex_c' })

    expect(protocol).toBe('org-iso-mdoc')
    expect(await documentsIn(verifier, data['response'])).toEqual([
      'org.iso.18013.5.1.mDL',
      'eu.europa.ec.av.1',
    ])
  })

  describe('a DeviceRequest 1.1', () => {
    const info = (value: Cbor) => embedCbor(encodeCbor(value))
    const useCases = (...documentSets: number[][]) =>
      info(textMap({ useCases: [textMap({ mandatory: true, documentSets })] }))
    const presented = async (
      device_request: Record<string, Cbor>,
      annex_c_reading?: RespondToDcApiOptions['annex_c_reading'],
    ) => {
      const { verifier, data } = await responded(
        { documents: mdlAndAge, alterations: { device_request: { version: '1.1', ...device_request } } },
        { channel: 'annex_c', annex_c_reading },
      )
      return documentsIn(verifier, data['response'])
    }

    test('with the first set of documents that it holds', async () => {
      expect(await presented({ deviceRequestInfo: useCases([0, 2], [1], [0]) })).toEqual([
        'eu.europa.ec.av.1',
      ])
      expect(await presented({ deviceRequestInfo: useCases([1, 0]) })).toHaveLength(2)
    })

    test('as other wallets read it', async () => {
      const deviceRequestInfo = useCases([1], [0])
      expect(await presented({ deviceRequestInfo }, 'first')).toEqual(['org.iso.18013.5.1.mDL'])
      expect(await presented({ deviceRequestInfo }, 'every')).toEqual([
        'org.iso.18013.5.1.mDL',
        'eu.europa.ec.av.1',
      ])
    })

    test.each<[string, Record<string, Cbor>]>([
      ['without use cases', {}],
      ['with no use case', { deviceRequestInfo: info(textMap({ useCases: [] })) }],
      ['with an unknown document', { deviceRequestInfo: useCases([3]) }],
      ['with an empty set', { deviceRequestInfo: useCases([]) }],
      ['with use cases that are not encoded', { deviceRequestInfo: textMap({ useCases: [] }) }],
      ['of version 1.0 with use cases', { version: '1.0', deviceRequestInfo: useCases([0]) }],
    ])('not %s', async (_, device_request) => {
      const alterations = { device_request: { version: '1.1', ...device_request } }
      expect(await violatedRules({ documents: mdlAndAge, alterations }, { channel: 'annex_c' })).toEqual([
        'annex_c.device_request',
      ])
    })
  })

  test('a signed DeviceRequest of a reader whose root it trusts', async () => {
    const { protocol } = await responded({ reader: true }, { channel: 'annex_c' })

    expect(protocol).toBe('org-iso-mdoc')
  })

  test('the published request of the EU age verification profile', async () => {
    const { device_request, encryption_info } = ageVerification
    const data = { deviceRequest: device_request, encryptionInfo: encryption_info }
    const { result } = await present({}, { requests: [{ protocol: 'org-iso-mdoc', data }] })

    expect(result).toMatchObject({ sent: true, protocol: 'org-iso-mdoc' })
  })

  test('a refusal in clear over OpenID4VP', async () => {
    const { protocol, data } = await responded({}, { behaviour: 'declines' })

    expect({ protocol, data }).toEqual({
      protocol: 'openid4vp-v1-signed',
      data: { error: 'access_denied' },
    })
  })

  test('nothing over annex C if the holder declines or has no such document', async () => {
    const channel = 'annex_c'
    const nobody = { 'org.example.nobody.1': { 'org.example.nobody': ['anything'] } }

    expect(await violatedRules({}, { channel, behaviour: 'declines' })).toEqual(['wallet.declined'])
    expect(await violatedRules({ documents: nobody }, { channel })).toEqual(['wallet.declined'])
  })
})

const seconds = Math.floor(now.getTime() / 1000)
const { x = '' } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' })

test.each<[string, NonNullable<DcVerifierOptions['alterations']>]>([
  ['request.origin', { claims: { expected_origins: ['https://elsewhere.example'] } }],
  ['request.expected_origins', { claims: { expected_origins: [] } }],
  ['request.expected_origins', { claims: { expected_origins: undefined } }],
  ['request.expected_origins', { claims: { expected_origins: origin } }],
  ['request.expected_origins', { claims: { expected_origins: [`${origin}/`] } }],
  ['request.expected_origins', { claims: { expected_origins: ['https://shop.example:443'] } }],
  ['request.expected_origins', { claims: { expected_origins: ['http://shop.example'] } }],
  ['request.expected_origins', { claims: { expected_origins: ['android:apk-key-hash:'] } }],
  ['request.origin', { claims: { expected_origins: [`android:apk-key-hash:${'A'.repeat(43)}`] } }],
  ['request.response_mode', { claims: { response_mode: 'dc_api' } }],
  ['request.response_mode', { claims: { response_mode: 'direct_post.jwt' } }],
  ['request.parameters', { claims: { state: 'a'.repeat(43) } }],
  ['request.parameters', { claims: { response_uri: 'https://shop.example/response' } }],
  ['request.parameters', { claims: { redirect_uri: 'https://shop.example/return' } }],
  ['request.parameters', { claims: { request_uri: 'https://shop.example/request' } }],
  ['request.parameters', { claims: { wallet_nonce: 'a' } }],
  ['request.nonce', { claims: { nonce: 'short' } }],
  ['request.aud', { claims: { aud: 'somebody' } }],
  ['request.exp', { claims: { exp: seconds } }],
  ['request.exp', { claims: { exp: undefined } }],
  ['request.typ', { header: { typ: 'jwt' } }],
  ['x5c.form', { header: { x5c: [] } }],
  ['client_id.x509_hash', { claims: { client_id: 'x509_hash:another' } }],
  ['client_id.prefix', { claims: { client_id: undefined } }],
  ['client_metadata.form', { claims: { client_metadata: undefined } }],
  ['client_metadata.jwks', { claims: { client_metadata: { jwks: { keys: [] } } } }],
  ['dcql.credentials', { claims: { dcql_query: undefined } }],
])('the wallet names the rule that an OpenID4VP request violates: %s %j', async (rule, alterations) => {
  expect(await violatedRules({ alterations }, {})).toContain(rule)
})

const key = (members: [number, number | Uint8Array][]) => new Map(members)
const point = Buffer.from(x, 'base64url')

test.each<[string, NonNullable<DcVerifierOptions['alterations']>, boolean?]>([
  ['annex_c.device_request', { device_request: { version: '2.0' } }],
  ['annex_c.device_request', { device_request: { docRequests: [] } }],
  ['annex_c.device_request', { device_request: { another: true } }],
  ['annex_c.items_request', { items_request: { docType: 1 } }],
  ['annex_c.items_request', { items_request: { nameSpaces: new Map() } }],
  ['annex_c.items_request', { items_request: { nameSpaces: new Map([['a', new Map([['b', 1]])]]) } }],
  ['annex_c.items_request', { doc_request: { itemsRequest: 'text' } }],
  ['annex_c.items_request', { doc_request: { another: true } }],
  ['annex_c.nonce', { encryption_info: { nonce: new Uint8Array(15) } }],
  ['annex_c.encryption_info', { encryption_info: { another: true } }],
  [
    'annex_c.recipient_key',
    {
      encryption_info: {
        recipientPublicKey: key([
          [1, 2],
          [-1, 1],
          [-2, point],
          [-3, point],
        ]),
      },
    },
  ],
  ['annex_c.recipient_key', { encryption_info: { recipientPublicKey: key([[1, 2]]) } }],
  ['annex_c.reader_auth', { doc_request: { readerAuth: [] } }],
  ['annex_c.reader_signature', { reader_origin: 'https://elsewhere.example' }, true],
])('the wallet names the rule that an annex C request violates: %s %j', async (rule, alterations, reader) => {
  expect(await violatedRules({ alterations, reader: reader ?? false }, { channel: 'annex_c' })).toContain(
    rule,
  )
})

test('a reader whose root the wallet does not trust gets nothing', async () => {
  const { root } = await createDcVerifier({ query, now })

  expect(await violatedRules({ reader: true }, { channel: 'annex_c', verifier_anchors: [root] })).toEqual([
    'x5c.trust',
  ])
})

test.each<[string, unknown]>([
  ['dc_api.requests', undefined],
  ['dc_api.requests', []],
  ['dc_api.requests', [{ protocol: 'openid4vp-v1-signed' }]],
  ['dc_api.protocol', [{ protocol: 'openid4vp-v1-unsigned', data: {} }]],
  ['dc_api.data', [{ protocol: 'openid4vp-v1-signed', data: {} }]],
  ['dc_api.data', [{ protocol: 'openid4vp-v1-signed', data: { request: 'a.b.c', more: 1 } }]],
  ['request.form', [{ protocol: 'openid4vp-v1-signed', data: { request: 'a.b.c' } }]],
  ['dc_api.data', [{ protocol: 'org-iso-mdoc', data: { deviceRequest: 'oA' } }]],
  [
    'annex_c.device_request',
    [{ protocol: 'org-iso-mdoc', data: { deviceRequest: 'oA==', encryptionInfo: 'oA' } }],
  ],
])('the wallet names the rule that the list of requests violates: %s %j', async (rule, requests) => {
  expect(await violatedRules({}, { requests })).toContain(rule)
})

test('the wallet answers the protocol that is asked of it, if it is offered', async () => {
  const { requests } = await createDcVerifier({ query, now })

  expect(await violatedRules({}, { requests: requests.slice(0, 1), channel: 'annex_c' })).toEqual([
    'dc_api.protocol',
  ])
})
