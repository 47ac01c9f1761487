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
import { readCbor } from '../cbor/read.ts'
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
      'no optional set',
      {
        credentials: [licence, proofOfAge],
        credential_sets: [{ options: [['av']] }, { options: [['mdl']], required: false }],
      },
      [proofOfAgeItems],
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
      'only the first claim set',
      {
        credentials: [
          {
            ...licence,
            claims: [
              { id: 'a', path: ['n', 'birth_date'] },
              { id: 'b', path: ['org.iso.18013.5.1', 'age_over_18'], intent_to_retain: false },
            ],
            claim_sets: [['b'], ['a']],
          },
        ],
      },
      [licenceItems],
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
