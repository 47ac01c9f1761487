import { describe, expect, test } from 'vitest'
import {
  buildRequestFor,
  encryption_key,
  licence,
  mdoc,
  proofOfAge,
  readRequest,
  useCases,
} from '../../test/annex-c-request.ts'
import { dcApiVector } from '../../test/dc-api-vectors.ts'
import { expectArray, expectBytes, expectEncodedCbor, expectMap } from '../cbor/expect.ts'
import { readCbor } from '../cbor/read.ts'
import type { AnyQuery } from '../dcql/query.ts'
import { buildEncryptionInfo } from './encryption-info.ts'

const deterministic = dcApiVector('annex-c-deterministic').input
const ageVerification = dcApiVector('annex-c-eu-age-verification').input

describe('the published requests', () => {
  test('of the deterministic vector', async () => {
    expect(await buildRequestFor({ credentials: [licence] })).toEqual({
      deviceRequest: deterministic.device_request_b64url,
      encryptionInfo: deterministic.encryption_info_b64url,
    })
  })

  test('of the EU age-verification profile', async () => {
    const request = await buildRequestFor({ credentials: [proofOfAge] })
    expect(request?.deviceRequest).toBe(ageVerification.device_request_b64url)
    const [name, data] = expectArray(
      readCbor(Buffer.from(ageVerification.encryption_info_b64url ?? '', 'base64url')),
      'encryptionInfo',
    )
    const parameters = expectMap(data, 'its parameters')
    const key = expectMap(parameters.get('recipientPublicKey'), 'the key')
    const base64url = (label: number) => Buffer.from(expectBytes(key.get(label), '')).toString('base64url')
    expect(name).toBe('dcapi')
    // The same members in the same order give the published text.
    expect(
      buildEncryptionInfo({
        nonce: Buffer.from(expectBytes(parameters.get('nonce'), '')).toString('base64url'),
        encryption_key: {
          ...encryption_key,
          jwk: { ...encryption_key.jwk, x: base64url(-2), y: base64url(-3) },
        },
      }),
    ).toBe(ageVerification.encryption_info_b64url)
  })
})

/** The docRequests, as docType, elements with the intent to retain, and the rest. */
async function listDocRequests(query: AnyQuery) {
  const request = await buildRequestFor(query)
  if (request === undefined) return undefined
  const deviceRequest = expectMap(readCbor(Buffer.from(request.deviceRequest, 'base64url')), 'deviceRequest')
  return expectArray(deviceRequest.get('docRequests'), 'docRequests').map((docRequest) => {
    const { content } = expectEncodedCbor(expectMap(docRequest, '').get('itemsRequest'), 'itemsRequest')
    return readCbor(content)
  })
}

const items = (docType: string, nameSpace: string, elements: Record<string, boolean>) =>
  new Map<string, unknown>([
    ['docType', docType],
    ['nameSpaces', new Map([[nameSpace, new Map(Object.entries(elements))]])],
  ])
const licenceItems = items('org.iso.18013.5.1.mDL', 'org.iso.18013.5.1', { age_over_18: false })
const proofOfAgeItems = items('eu.europa.ec.av.1', 'eu.europa.ec.av.1', { age_over_18: false })
const sdJwt = { id: 'pid', format: 'dc+sd-jwt', meta: { vct_values: ['urn:eudi:pid:1'] } }

/** A credential whose claims have ids, and sets of them. */
const withSets = (credential: typeof licence, paths: Record<string, string[]>, claim_sets: string[][]) => ({
  ...credential,
  claims: Object.entries(paths).map(([id, path]) => ({ id, path })),
  claim_sets,
})

describe('the documents that are requested', () => {
  const mapped: [string, AnyQuery, unknown][] = [
    [
      'every credential without sets',
      { credentials: [licence, proofOfAge] },
      [licenceItems, proofOfAgeItems],
    ],
    [
      'every alternative, in the order of preference',
      {
        credentials: [licence, proofOfAge, sdJwt],
        credential_sets: [{ options: [['pid'], ['av'], ['mdl', 'pid'], ['mdl']] }],
      },
      [proofOfAgeItems, licenceItems],
    ],
    [
      'an optional set after what is required',
      {
        credentials: [licence, proofOfAge],
        credential_sets: [{ options: [['mdl']], required: false }, { options: [['av']] }],
      },
      [proofOfAgeItems, licenceItems],
    ],
    [
      'no optional set that takes the docType of a document that is needed',
      {
        credentials: [{ ...licence, id: 'other', claims: [{ path: ['a', 'b'] }] }, licence],
        credential_sets: [{ options: [['other']], required: false }, { options: [['mdl']] }],
      },
      [licenceItems],
    ],
    [
      'of two alternatives of the same docType the first',
      {
        credentials: [licence, { ...licence, id: 'other', claims: [{ path: ['a', 'b'] }] }],
        credential_sets: [{ options: [['mdl'], ['other']] }],
      },
      [licenceItems],
    ],
    [
      'no alternative that takes the docType of a document that is needed',
      {
        credentials: [proofOfAge, { ...licence, id: 'other', claims: [{ path: ['a', 'b'] }] }, licence],
        credential_sets: [{ options: [['av'], ['other']] }, { options: [['mdl']] }],
      },
      [proofOfAgeItems, licenceItems],
    ],
    [
      'only the first claim set, if the others do not replace one of its claims',
      {
        credentials: [
          withSets(licence, { a: ['n', 'x'], b: ['n', 'y'], c: ['n', 'z'] }, [
            ['a', 'b'],
            ['c'],
            ['a'],
            ['a', 'b', 'c'],
          ]),
        ],
      },
      [items('org.iso.18013.5.1.mDL', 'n', { x: true, y: true })],
    ],
    [
      'the intent to retain, unless the query says otherwise',
      {
        credentials: [
          { ...licence, claims: [{ path: ['n', 'x'] }, { path: ['n', 'y'], intent_to_retain: false }] },
        ],
      },
      [items('org.iso.18013.5.1.mDL', 'n', { x: true, y: false })],
    ],
  ]
  test.each(mapped)('%s', async (_, query, expected) => {
    expect(await listDocRequests(query)).toEqual(expected)
  })

  const unmapped: [string, AnyQuery][] = [
    ['an SD-JWT VC is required', { credentials: [licence, sdJwt] }],
    ['a set has no option of mdocs', { credentials: [licence, sdJwt], credential_sets: [{ options: [['mdl']] }, { options: [['pid']] }] }],
    ['two credentials of the same docType are required', { credentials: [licence, { ...licence, id: 'other' }] }],
    ['two sets need the same docType', { credentials: [licence, { ...licence, id: 'other' }], credential_sets: [{ options: [['mdl']] }, { options: [['other']] }] }],
    ['no claim is named', { credentials: [{ id: 'mdl', format: 'mso_mdoc', meta: licence.meta }] }],
    ['no type is named', { credentials: [{ ...licence, meta: {} }] }],
    ['the credential breaks a rule', { credentials: [{ ...licence, claims: 'all' }] }],
    ['a set breaks a rule', { credentials: [licence], credential_sets: [{ options: [] }] }],
    ['an option names an unknown id', { credentials: [licence], credential_sets: [{ options: [['x']] }] }],
    ['every set is optional', { credentials: [licence], credential_sets: [{ options: [['mdl']], required: false }] }],
    ['there is no credential', { credentials: [] }],
  ] // prettier-ignore
  test.each(unmapped)('no request if %s', async (_, query) => {
    expect(await buildRequestFor(query)).toBeUndefined()
  })
})

describe('a request of version 1.1', () => {
  test('says that one document of several is enough, in the bytes of other implementations', async () => {
    const { version, request, info } = await readRequest({
      credentials: [licence, proofOfAge],
      credential_sets: [{ options: [['mdl'], ['av']] }],
    })
    expect(version).toBe('1.1')
    expect(readCbor(info ?? Buffer.alloc(0))).toEqual(useCases([true, [0], [1]]))
    expect(Buffer.from(request?.deviceRequest ?? '', 'base64url').toString('hex')).toContain(
      'd8185829a168757365436173657381a2696d616e6461746f7279f56c646f63756d656e74536574738281008101',
    )
  })

  const photoId = mdoc('photo', 'org.iso.23220.photoID.1', 'org.iso.23220.1', 'portrait')
  const mapped: [string, AnyQuery['credential_sets'], Parameters<typeof useCases>][] = [
    ['all are needed without sets', undefined, [[true, [0, 1, 2]]]],
    ['several sets', [{ options: [['mdl', 'photo'], ['av']] }, { options: [['photo']] }], [[true, [0, 1], [2]], [true, [1]]]],
    ['an optional set', [{ options: [['av']] }, { options: [['photo'], ['mdl']], required: false }], [[true, [0]], [false, [1], [2]]]],
    ['no option with another format', [{ options: [['pid'], ['av', 'pid'], ['av'], ['mdl']] }], [[true, [0], [1]]]],
  ] // prettier-ignore
  test.each(mapped)('%s', async (_, credential_sets, expected) => {
    const credentials = [licence, proofOfAge, photoId, ...(credential_sets === undefined ? [] : [sdJwt])]
    const { info } = await readRequest({ credentials, ...(credential_sets && { credential_sets }) })
    expect(readCbor(info ?? Buffer.alloc(0))).toEqual(useCases(...expected))
  })

  test('has the claim sets that replace one claim as alternatives of it', async () => {
    const [age, birth] = [
      ['org.iso.18013.5.1', 'age_over_18'],
      ['org.iso.18013.5.1', 'birth_date'],
    ]
    const name = ['org.iso.18013.5.1', 'given_name']
    const query = {
      credentials: [
        withSets(licence, { name, age, birth, other: ['n', 'age'] }, [
          ['name', 'age'],
          ['name', 'other', 'birth'],
          ['birth', 'age'],
          ['name', 'birth'],
        ]),
      ],
    }
    const { version, info, alternatives } = await readRequest(query)
    expect(version).toBe('1.1')
    expect(readCbor(info ?? Buffer.alloc(0))).toEqual(useCases([true, [0]]))
    expect(alternatives).toEqual([
      [
        new Map<string, unknown>([
          ['requestedElement', age],
          ['alternativeElementSets', [[birth, ['n', 'age']], [birth]]],
        ]),
      ],
    ])
  })

  test('is not needed for one document without alternatives', async () => {
    const optional = { options: [['pid']], required: false }
    const { version, decoded } = await readRequest({
      credentials: [licence, sdJwt],
      credential_sets: [{ options: [['mdl'], ['pid']] }, optional],
    })
    expect([version, new Set(decoded.keys())]).toEqual(['1.0', new Set(['version', 'docRequests'])])
  })
})
