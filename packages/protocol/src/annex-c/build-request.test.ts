import { verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { encodeCbor, wrapInTag24 } from '../../test/cbor.ts'
import { makeCertificate } from '../../test/certificates.ts'
import { dcApiVector } from '../../test/dc-api-vectors.ts'
import { encryptionKeyWith } from '../../test/encryption-key.ts'
import { makeFixture, withBinding } from '../../test/fixture.ts'
import { buildTranscript } from '../../test/mdoc.ts'
import { signBytes } from '../../test/sign.ts'
import { expectArray, expectBytes, expectEncodedCbor, expectMap } from '../cbor/expect.ts'
import { readCbor, type Cbor } from '../cbor/read.ts'
import { readX5chain, readSign1 } from '../cose/sign1.ts'
import type { AnyQuery } from '../dcql/query.ts'
import { buildAnnexCRequest, type AnnexCRequestInput } from './build-request.ts'
import { buildEncryptionInfo } from './encryption-info.ts'

const deterministic = dcApiVector('annex-c-deterministic').input
const ageVerification = dcApiVector('annex-c-eu-age-verification').input
const encryption_key = encryptionKeyWith(deterministic.recipient_private_key_hex ?? '')
const nonce = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex').toString('base64url')
const origin = 'https://verifier.example'

const mdoc = (id: string, doctype_value: string, nameSpace: string, ...names: string[]) => ({
  id,
  format: 'mso_mdoc',
  meta: { doctype_value },
  claims: names.map((name) => ({ path: [nameSpace, name], intent_to_retain: false })),
})
const licence = mdoc('mdl', 'org.iso.18013.5.1.mDL', 'org.iso.18013.5.1', 'age_over_18')
const proofOfAge = mdoc('av', 'eu.europa.ec.av.1', 'eu.europa.ec.av.1', 'age_over_18')
const build = (dcql_query: AnyQuery, members: Partial<AnnexCRequestInput> = {}) =>
  buildAnnexCRequest({ dcql_query, nonce, encryption_key, origin, ...members })

describe('the published requests', () => {
  test('of the deterministic vector', async () => {
    expect(await build({ credentials: [licence] })).toEqual({
      deviceRequest: deterministic.device_request_b64url,
      encryptionInfo: deterministic.encryption_info_b64url,
    })
  })

  test('of the EU age-verification profile', async () => {
    const request = await build({ credentials: [proofOfAge] })
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
  const request = await build(query)
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
    expect(await build(query)).toBeUndefined()
  })
})

/** A DeviceRequest as a map, with the decoded DeviceRequestInfo and the `requestInfo` of each document. */
async function readRequest(query: AnyQuery, members: Partial<AnnexCRequestInput> = {}) {
  const request = await build(query, members)
  const decoded = expectMap(readCbor(Buffer.from(request?.deviceRequest ?? '', 'base64url')), '')
  const info = decoded.get('deviceRequestInfo')
  const documents = expectArray(decoded.get('docRequests'), 'docRequests').map((docRequest) =>
    expectMap(
      readCbor(expectEncodedCbor(expectMap(docRequest, '').get('itemsRequest'), 'itemsRequest').content),
      '',
    ),
  )
  return {
    request,
    decoded,
    version: decoded.get('version'),
    info: info === undefined ? undefined : expectEncodedCbor(info, 'deviceRequestInfo').content,
    alternatives: documents.map((document) => {
      const requestInfo = document.get('requestInfo')
      return requestInfo === undefined ? undefined : expectMap(requestInfo, '').get('alternativeDataElements')
    }),
  }
}

const useCases = (...cases: [mandatory: boolean, ...documentSets: number[][]][]) =>
  new Map([
    [
      'useCases',
      cases.map(
        ([mandatory, ...documentSets]) =>
          new Map<string, unknown>([
            ['mandatory', mandatory],
            ['documentSets', documentSets],
          ]),
      ),
    ],
  ])

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

describe('readerAuth', () => {
  const authority = makeCertificate({ authority: true, common_name: 'Access CA' })
  const leaf = makeCertificate({ issuer: authority, common_name: 'Shop' })
  const x5c = [leaf.der.toString('base64')]
  const reader = { x5c, sign: async (bytes: Uint8Array) => signBytes(leaf, bytes) }

  async function buildSigned(members: Partial<AnnexCRequestInput> = {}) {
    const request = await build({ credentials: [licence, proofOfAge] }, { reader, ...members })
    const decoded = expectMap(readCbor(Buffer.from(request?.deviceRequest ?? '', 'base64url')), '')
    return expectArray(decoded.get('docRequests'), 'docRequests').map((each) => {
      const docRequest = expectMap(each, 'docRequest')
      return {
        itemsRequest: expectEncodedCbor(docRequest.get('itemsRequest'), 'itemsRequest').content,
        signature: readSign1(docRequest.get('readerAuth'), 'readerAuth'),
      }
    })
  }

  /** ISO/IEC 18013-5 §9.1.4, with the encoder of the tests. */
  function signedBytes(itemsRequest: Uint8Array, encryption_info: string, signedOrigin = origin) {
    const binding = { channel: 'annex_c', origin: signedOrigin, encryption_info } as const
    const transcript = buildTranscript(withBinding(makeFixture(), binding))
    const payload = encodeCbor(
      wrapInTag24([
        'ReaderAuthentication',
        { encoded: transcript },
        { tag: 24, value: Buffer.from(itemsRequest) },
      ]),
    )
    return encodeCbor(['Signature1', encodeCbor(new Map([[1, -7]])), Buffer.alloc(0), payload])
  }

  const verifies = (signed: Buffer, signature: Uint8Array) =>
    verify('sha256', signed, { key: leaf.publicKey, dsaEncoding: 'ieee-p1363' }, signature)

  test('signs each document with the transcript of this request', async () => {
    const encryptionInfo = buildEncryptionInfo({ nonce, encryption_key })
    const docRequests = await buildSigned()
    expect(docRequests).toHaveLength(2)
    for (const [index, { itemsRequest, signature }] of docRequests.entries()) {
      expect(signature.payload).toBeUndefined()
      expect(readX5chain(signature)).toEqual([leaf.der])
      expect(verifies(signedBytes(itemsRequest, encryptionInfo), signature.signature)).toBe(true)
      expect(verifies(signedBytes(itemsRequest, 'abc'), signature.signature)).toBe(false)
      expect(
        verifies(signedBytes(itemsRequest, encryptionInfo, 'https://other.example'), signature.signature),
      ).toBe(false)
      const other = docRequests[1 - index]
      expect(
        verifies(signedBytes(other?.itemsRequest ?? itemsRequest, encryptionInfo), signature.signature),
      ).toBe(false)
    }
  })

  test('signs the whole request once more, with its use cases', async () => {
    const encryption_info = buildEncryptionInfo({ nonce, encryption_key })
    const { decoded, info } = await readRequest({ credentials: [licence, proofOfAge] }, { reader })
    const [signature, ...others] = expectArray(decoded.get('readerAuthAll'), 'readerAuthAll').map((each) =>
      readSign1(each, 'readerAuthAll'),
    )
    const itemsRequests = expectArray(decoded.get('docRequests'), '').map(
      (each) => expectEncodedCbor(expectMap(each, '').get('itemsRequest'), '').content,
    )
    const binding = { channel: 'annex_c', origin, encryption_info } as const
    const transcript = buildTranscript(withBinding(makeFixture(), binding))
    const embed = (bytes: Uint8Array) => ({ tag: 24, value: Buffer.from(bytes) })
    const signed = (of: readonly Uint8Array[], about: Uint8Array) => {
      const payload = encodeCbor(
        wrapInTag24(['ReaderAuthenticationAll', { encoded: transcript }, of.map(embed), embed(about)]),
      )
      return encodeCbor(['Signature1', encodeCbor(new Map([[1, -7]])), Buffer.alloc(0), payload])
    }
    const bytes = signature?.signature ?? Buffer.alloc(0)
    expect(others).toEqual([])
    expect(verifies(signed(itemsRequests, info ?? Buffer.alloc(0)), bytes)).toBe(true)
    expect(verifies(signed(itemsRequests.toReversed(), info ?? Buffer.alloc(0)), bytes)).toBe(false)
    expect(verifies(signed(itemsRequests, Buffer.from('a0', 'hex')), bytes)).toBe(false)
  })

  test('is that of the first reader, and the whole request is signed by all of them', async () => {
    const other = makeCertificate({ issuer: authority, common_name: 'Shop elsewhere' })
    const otherReader = {
      x5c: [other.der.toString('base64')],
      sign: async (bytes: Uint8Array) => signBytes(other, bytes),
    }
    const signersOf = async (members: Partial<AnnexCRequestInput>) => {
      const { decoded, version, info } = await readRequest({ credentials: [licence] }, members)
      const [docRequest] = expectArray(decoded.get('docRequests'), '')
      const single = expectMap(docRequest, '').get('readerAuth')
      const leafOf = (signature: Cbor) => readX5chain(readSign1(signature, ''))[0]
      return {
        version,
        info: info && readCbor(info),
        single: single === undefined ? undefined : leafOf(single),
        all: expectArray(decoded.get('readerAuthAll') ?? [], '').map(leafOf),
      }
    }
    const oneDocument = useCases([true, [0]])
    expect(await signersOf({ reader, other_readers: [otherReader] })).toEqual({
      version: '1.1',
      info: oneDocument,
      single: leaf.der,
      all: [leaf.der, other.der],
    })
    expect(await signersOf({ other_readers: [otherReader] })).toEqual({
      version: '1.1',
      info: oneDocument,
      single: undefined,
      all: [other.der],
    })
    expect(await signersOf({ reader })).toEqual({
      version: '1.0',
      info: undefined,
      single: leaf.der,
      all: [],
    })
  })

  test('sends one certificate alone, and a chain as an array', async () => {
    const [single] = await buildSigned()
    expect(single?.signature.unprotected_header.get(33)).toEqual(leaf.der)
    const [first] = await buildSigned({
      reader: { ...reader, x5c: [...x5c, authority.der.toString('base64')] },
    })
    expect(first?.signature.unprotected_header.get(33)).toEqual([leaf.der, authority.der])
  })

  test('is absent without a reader', async () => {
    const request = await build({ credentials: [licence] })
    expect(Buffer.from(request?.deviceRequest ?? '', 'base64url').includes('readerAuth')).toBe(false)
  })

  test('signs the registration certificate in every ItemsRequest', async () => {
    const registration = 'eyJ0eXAiOiJyYy13cnArand0In0.e30.c2ln'
    const encryptionInfo = buildEncryptionInfo({ nonce, encryption_key })
    const docRequests = await buildSigned({ registration })
    expect(docRequests).toHaveLength(2)
    for (const { itemsRequest, signature } of docRequests) {
      const { requestInfo } = Object.fromEntries(expectMap(readCbor(itemsRequest), 'itemsRequest'))
      expect(requestInfo).toEqual(new Map([['euWrprc', Buffer.from(registration)]]))
      expect(verifies(signedBytes(itemsRequest, encryptionInfo), signature.signature)).toBe(true)
    }
  })

  test('there is no requestInfo without a registration certificate', async () => {
    const [first] = await buildSigned()
    expect(
      expectMap(readCbor(first?.itemsRequest ?? Buffer.alloc(0)), 'itemsRequest').has('requestInfo'),
    ).toBe(false)
  })
})
