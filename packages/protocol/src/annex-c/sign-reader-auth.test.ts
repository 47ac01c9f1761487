import { verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  buildRequestFor,
  encryption_key,
  licence,
  nonce,
  origin,
  proofOfAge,
  readRequest,
  useCases,
} from '../../test/annex-c-request.ts'
import { encodeCbor, wrapInTag24 } from '../../test/cbor.ts'
import { makeCertificate } from '../../test/certificates.ts'
import { makeFixture, withBinding } from '../../test/fixture.ts'
import { buildTranscript } from '../../test/mdoc.ts'
import { signBytes } from '../../test/sign.ts'
import { expectArray, expectEncodedCbor, expectMap } from '../cbor/expect.ts'
import { readCbor, type Cbor } from '../cbor/read.ts'
import { readX5chain, readSign1 } from '../cose/sign1.ts'
import type { AnnexCRequestInput } from './build-request.ts'
import { buildEncryptionInfo } from './encryption-info.ts'

describe('readerAuth', () => {
  const authority = makeCertificate({ authority: true, common_name: 'Access CA' })
  const leaf = makeCertificate({ issuer: authority, common_name: 'Shop' })
  const x5c = [leaf.der.toString('base64')]
  const reader = { x5c, sign: async (bytes: Uint8Array) => signBytes(leaf, bytes) }

  async function buildSigned(members: Partial<AnnexCRequestInput> = {}) {
    const request = await buildRequestFor({ credentials: [licence, proofOfAge] }, { reader, ...members })
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
    const request = await buildRequestFor({ credentials: [licence] })
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
