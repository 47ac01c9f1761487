import { describe, expect, test } from 'vitest'
import { annexCForm, encryptDeviceResponse, openAnnexCFixture, wrapEncrypted } from '../../test/annex-c.ts'
import { cborMap, encodeCbor, type CborValue } from '../../test/cbor.ts'
import { dcApiVector } from '../../test/dc-api-vectors.ts'
import { encryptionKeyWith } from '../../test/encryption-key.ts'
import { makeFixture, typeNames, withBinding, type CredentialFixture } from '../../test/fixture.ts'
import { sealHpke } from '../../test/hpke.ts'
import { buildTranscript, presentMdoc } from '../../test/mdoc.ts'
import { findCborMember, splitCborArray } from '../cbor/read.ts'
import type { AnyQuery } from '../dcql/query.ts'
import { catchInputError } from '../input-error.ts'
import { readDeviceResponse } from '../mdoc/read-device-response.ts'
import { openResponse } from '../response/open.ts'
import { verifyPresentation } from '../verify-presentation.ts'
import { readEncryptedResponse } from './open-response.ts'
import { readDocuments } from './read-documents.ts'

const nameSpace = 'org.iso.18013.5.1'
const photoIdType = 'org.iso.23220.photoID.1'
const credential = (id: string, doctype_value: string) => ({
  id,
  format: 'mso_mdoc',
  meta: { doctype_value },
  claims: [{ path: [nameSpace, 'family_name'] }],
})
const query: AnyQuery = {
  credentials: [credential('mdl', typeNames.mdl), credential('photo_id', photoIdType)],
  credential_sets: [{ options: [['mdl'], ['photo_id']] }],
}
const { verification, bound } = openAnnexCFixture(makeFixture(), query)

const documentOf = (fixture: CredentialFixture, doc_type: string, family_name = 'Mustermann'): CborValue => {
  const response = presentMdoc(fixture, { doc_type, elements: { family_name, issuing_country: 'UT' } })
  const [document] = splitCborArray(
    findCborMember(Buffer.from(response, 'base64url'), 'documents') ?? Buffer.alloc(0),
  )
  return { encoded: document ?? Buffer.alloc(0) }
}
const respond = (members: Record<string, CborValue>) =>
  encodeCbor(cborMap({ version: '1.0', status: 0, ...members }))
const open = (plaintext: Uint8Array, to = verification, fixture = bound) =>
  openResponse(annexCForm(encryptDeviceResponse(plaintext, to, fixture)), verification)

async function verify(members: Record<string, CborValue>, dcql_query = query) {
  const plaintext = respond(members)
  const opened = openResponse(annexCForm(encryptDeviceResponse(plaintext, verification, bound)), {
    ...verification,
    dcql_query,
  })
  if (opened.kind !== 'presentation') return opened
  const { request, trust, now } = bound.context
  return verifyPresentation({ ...request, dcql_query }, opened.vp_token, trust, now)
}

describe('the published responses', () => {
  test('of the deterministic vector is opened: it contains no document', () => {
    const { input, expected } = dcApiVector('annex-c-deterministic')
    const { origin = '', encryption_info_b64url: encryption_info = '' } = input
    const form = annexCForm(input.encrypted_response_b64url ?? '')
    const published = {
      channel: 'annex_c',
      origin,
      encryption_info,
      encryption_key: encryptionKeyWith(input.recipient_private_key_hex ?? ''),
      dcql_query: query,
    } as const
    expect(openResponse(form, published)).toEqual({
      kind: 'error',
      error: {
        code: 'holder_declined',
        message: expect.stringContaining('no document'),
        may_have_other_wallet: true,
      },
      bound_to_verification: true,
    })
    expect(readDocuments(Buffer.from(expected.device_response_cbor_hex ?? '', 'hex'))).toEqual({ status: 0 })
    for (const change of [{ origin: 'https://other.example' }, { encryption_info: 'abc' }]) {
      expect(openResponse(form, { ...published, ...change })).toMatchObject({ kind: 'malformed' })
    }
  })

  test('of the EU age-verification profile is read', () => {
    const { response } = dcApiVector('annex-c-eu-age-verification')
    const { enc, cipherText } = readEncryptedResponse(response?.response ?? '')
    expect([enc.length, cipherText.length]).toEqual([65, 1752])
  })
})

describe('documents get their query id by docType', () => {
  const licence = documentOf(bound, typeNames.mdl)
  const photoId = documentOf(bound, photoIdType)

  test.each([
    ['one of the alternatives', [photoId], [photoIdType]],
    ['the other', [licence], [typeNames.mdl]],
    ['both, in any order', [photoId, licence], [typeNames.mdl, photoIdType]],
  ])('%s', async (_, documents, types) => {
    const outcome = await verify({ documents })
    expect(outcome).toMatchObject({ status: 'completed', claims: expect.anything() })
    expect('credentials' in outcome && outcome.credentials.map((each) => each.doctype_or_vct)).toEqual(types)
  })

  test.each([
    ['that was not requested', [licence, documentOf(bound, 'org.example.other')]],
    ['only that was not requested', [documentOf(bound, 'org.example.other')]],
    ['of the same type, twice', [licence, licence]],
    ['of the same type, another one', [licence, documentOf(bound, typeNames.mdl, 'Other')]],
    ['that calls itself like a query id', [licence, documentOf(bound, 'photo_id')]],
    ['that calls itself __proto__', [licence, documentOf(bound, '__proto__')]],
  ])('a document %s fails the verification', async (_, documents) => {
    expect(await verify({ documents })).toMatchObject({
      status: 'failed',
      claims: {},
      error: { code: 'query_not_satisfied', message: expect.stringContaining('query_id') },
    })
  })

  test('a second document of the same type fails also if the query allows several', async () => {
    const multiple = { credentials: [{ ...credential('mdl', typeNames.mdl), multiple: true }] }
    expect(await verify({ documents: [licence] }, multiple)).toMatchObject({ status: 'completed' })
    expect(await verify({ documents: [licence, licence] }, multiple)).toMatchObject({ status: 'failed' })
  })

  test('twenty documents are read', async () => {
    const documents = Array.from({ length: 20 }, () => licence)
    expect(await verify({ documents })).toMatchObject({ status: 'failed' })
  })

  test('a document keeps the bytes in which it was received', () => {
    // The same document with an overlong length and a tag that no standard gives it.
    const encoded = encodeCbor(
      cborMap({ docType: { encoded: Buffer.from('7900036d444c', 'hex') }, x: { tag: 99, value: 1 } }),
    )
    const read = readDocuments(respond({ documents: [{ encoded }] }))
    const [document] = 'documents' in read ? read.documents : []
    expect(document?.doc_type).toBe('mDL')
    expect(Buffer.from(document?.device_response ?? '', 'base64url').includes(encoded)).toBe(true)
    // In an array of unknown length, and after other members, it is found as well.
    const indefinite = Buffer.concat([Buffer.from([0x9f]), encoded, Buffer.from([0xff])])
    expect(readDocuments(respond({ documentErrors: [], documents: { encoded: indefinite } }))).toEqual(read)
  })

  test('a document that cannot be read fails the verification with the cause', async () => {
    expect(await verify({ documents: [cborMap({ docType: typeNames.mdl })] })).toMatchObject({
      status: 'failed',
      error: { code: 'credential_malformed', message: expect.stringContaining('issuerSigned') },
    })
  })
})

describe('a DeviceResponse without documents is an error of the wallet', () => {
  test.each([
    [0, 'holder_declined', true],
    [10, 'wallet_error', true],
    [11, 'wallet_error', false],
    [12, 'wallet_error', false],
    [99, 'wallet_error', false],
  ])('status %d', (status, code, may_have_other_wallet) => {
    for (const documents of [{}, { documents: [] }, { documents: null }])
      expect(open(respond({ ...documents, status }))).toMatchObject({
        kind: 'error',
        error: { code, may_have_other_wallet },
        bound_to_verification: true,
      })
  })

  test('documents beside an error are not read', () => {
    expect(open(respond({ documents: [documentOf(bound, typeNames.mdl)], status: 10 }))).toMatchObject({
      kind: 'error',
    })
  })
})

describe('[DC-3] a response for another verification, origin or key is malformed', () => {
  const plaintext = respond({ documents: [documentOf(bound, typeNames.mdl)] })

  test('and the same one for this verification is a presentation', () => {
    expect(open(plaintext)).toMatchObject({ kind: 'presentation' })
  })

  test.each([
    ['another origin', { ...verification, origin: 'https://other.example' }],
    ['the same origin with a slash', { ...verification, origin: `${verification.origin}/` }],
    [
      'another encryptionInfo',
      { ...verification, encryption_info: openAnnexCFixture(bound, query).verification.encryption_info },
    ],
  ])('%s', (_, { origin, encryption_info }) => {
    const other = withBinding(bound, { channel: 'annex_c', origin, encryption_info })
    expect(open(plaintext, verification, other)).toEqual({
      kind: 'malformed',
      reason: expect.stringContaining('cannot be decrypted'),
    })
  })

  test('another key', () => {
    const { verification: other } = openAnnexCFixture(bound, query)
    expect(open(plaintext, other)).toMatchObject({ kind: 'malformed' })
  })

  test('a document that the device signed for another channel fails the verification', async () => {
    const documents = [documentOf(makeFixture(), typeNames.mdl)]
    expect(await verify({ documents })).toMatchObject({ status: 'failed' })
    const redirect = { ...bound, context: makeFixture().context }
    expect(await verify({ documents: [documentOf(redirect, typeNames.mdl)] })).toMatchObject({
      status: 'failed',
      error: { code: 'holder_binding_invalid' },
    })
  })
})

describe('what is not an EncryptedResponse, or contains no DeviceResponse, is malformed', () => {
  const { enc, ciphertext: cipherText } = sealHpke(respond({}), verification.encryption_key, {
    info: buildTranscript(bound),
  })
  const encodings: [string, string][] = [
    ['empty', ''],
    ['not base64url', '!'],
    ['padded', `${wrapEncrypted(cborMap({ enc, cipherText }))}=`],
    ['not CBOR', 'AAAA'],
    ['a map', encodeCbor(cborMap({ enc, cipherText })).toString('base64url')],
    ['of another kind', encodeCbor(['dcapi2', cborMap({ enc, cipherText })]).toString('base64url')],
    ['longer', encodeCbor(['dcapi', cborMap({ enc, cipherText }), null]).toString('base64url')],
    ['without data', encodeCbor(['dcapi']).toString('base64url')],
    ['without enc', wrapEncrypted(cborMap({ cipherText }))],
    ['without cipherText', wrapEncrypted(cborMap({ enc }))],
    ['with text as enc', wrapEncrypted(cborMap({ enc: enc.toString('hex'), cipherText }))],
    ['a JWE', 'e30....'],
  ]
  test.each(encodings)('%s', (_, response) => {
    expect(openResponse(annexCForm(response), verification)).toMatchObject({ kind: 'malformed' })
    expect(catchInputError(() => readEncryptedResponse(response))).toHaveProperty('error')
  })

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['an array', encodeCbor([])],
    ['no version', encodeCbor(cborMap({ status: 0 }))],
    ['version 2', respond({ version: '2.0' })],
    ['no status', encodeCbor(cborMap({ version: '1.0' }))],
    ['a status that is text', respond({ status: '0' })],
    ['documents that are a map', respond({ documents: cborMap({}) })],
    ['a document that is text', respond({ documents: ['x'] })],
    ['a document without docType', respond({ documents: [cborMap({})] })],
    [
      'more than 20 documents',
      respond({ documents: Array.from({ length: 21 }, () => cborMap({ docType: 'x' })) }),
    ],
    ['extra bytes', Buffer.concat([respond({}), Buffer.alloc(1)])],
    ['deep arrays', Buffer.alloc(1_000_000, 0x81)],
  ])('%s', (_, plaintext) => {
    expect(open(plaintext)).toMatchObject({ kind: 'malformed' })
  })
})

test('a split document is one that the verifier reads', () => {
  const read = readDocuments(
    respond({ documents: [documentOf(bound, typeNames.mdl), documentOf(bound, photoIdType)] }),
  )
  const responses = 'documents' in read ? read.documents : []
  expect(responses.map(({ device_response }) => readDeviceResponse(device_response).doc_type)).toEqual([
    typeNames.mdl,
    photoIdType,
  ])
})
