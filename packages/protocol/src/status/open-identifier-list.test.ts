import { describe, expect, test } from 'vitest'
import { cborMap, encodeCbor, type CborValue } from '../../test/cbor.ts'
import { fixedNow, makeCertificate, type IssuedCertificate } from '../../test/certificates.ts'
import { makeContext, makeFixture } from '../../test/fixture.ts'
import { presentMdoc } from '../../test/mdoc.ts'
import { presentSdJwt } from '../../test/sd-jwt.ts'
import { coseAlg, signCose } from '../../test/sign.ts'
import { listUri, makeListCwt } from '../../test/status-list.ts'
import { verifyMdoc } from '../mdoc/verify.ts'
import type { Finding, StatusListToken } from '../presentation.ts'
import { verifySdJwt } from '../sd-jwt/verify.ts'
import { checkStatus } from './check.ts'
import { listsIdentifier, maxIdentifiers, openIdentifierList } from './open-identifier-list.ts'

const fixture = makeFixture()
const id = Buffer.from('0102030405', 'hex')

type ListOptions = {
  identifiers?: CborValue
  claims?: [number, CborValue][]
  without?: number
  type?: string
  key?: IssuedCertificate
}

/** A list of one identifier that is not the document's, with changes. */
function makeList(signer: IssuedCertificate, options: ListOptions = {}): StatusListToken {
  const {
    identifiers = listOf([Buffer.of(9)]),
    type = 'application/identifierlist+cwt',
    key = signer,
  } = options
  const claims = new Map<number, CborValue>([
    [2, listUri],
    [6, fixedNow - 60],
    [4, fixedNow + 3600],
    [65530, cborMap({ identifiers })],
    ...(options.claims ?? []),
  ])
  if (options.without !== undefined) claims.delete(options.without)
  const sign1 = signCose({
    protected_header: new Map<number, CborValue>([
      [1, coseAlg(key)],
      [16, type],
    ]),
    unprotected_header: new Map([[33, signer.der]]),
    payload: encodeCbor(claims),
    key,
  })
  return { token: encodeCbor({ tag: 18, value: sign1 }), media: 'cwt' }
}

function listOf(identifiers: Uint8Array[]): CborValue {
  return new Map<CborValue, CborValue>(identifiers.map((identifier) => [identifier, new Map()]))
}

async function check(
  list: StatusListToken | undefined,
  reference: CborValue = referTo(id),
): Promise<Finding[]> {
  const status = cborMap({ identifier_list: reference })
  const mdoc = verifyMdoc(presentMdoc(fixture, { mso: { status } }), fixture.context)
  const lists = list === undefined ? {} : { [listUri]: list }
  const found = await checkStatus(mdoc, makeContext([{ certificate: fixture.authority.der }], lists))
  return [...mdoc.findings, ...found]
}

function referTo(identifier: CborValue): CborValue {
  return cborMap({ id: identifier, uri: listUri })
}

describe('an mdoc with an identifier', () => {
  test('is good if the list does not name it, and revoked if it does', async () => {
    expect(await check(makeList(fixture.signer))).toEqual([])
    const list = makeList(fixture.signer, { identifiers: listOf([Buffer.of(9), id, Buffer.of(1)]) })
    expect(await check(list)).toMatchObject([{ check: 'revocation', status: 'fail' }])
  })

  test('is not one whose identifier is longer or shorter by a byte, or text', async () => {
    const near = [Buffer.concat([id, Buffer.of(0)]), id.subarray(1), Buffer.from(`h'${id.toString('hex')}'`)]
    expect(await check(makeList(fixture.signer, { identifiers: listOf(near) }))).toEqual([])
  })

  test.each<[string, CborValue]>([
    ['text', referTo('one')],
    ['a number', referTo(1)],
    ['empty', referTo(Buffer.alloc(0))],
    ['too long', referTo(Buffer.alloc(65))],
    ['at an address that is not https', cborMap({ id, uri: 'http://issuer.example/list' })],
  ])('that is %s has an unknown status', async (_, reference) => {
    expect(await check(makeList(fixture.signer), reference)).toMatchObject([
      { check: 'status_list', status: 'fail' },
    ])
  })

  test('has an unknown status without its list', async () => {
    expect(await check(undefined)).toMatchObject([{ check: 'status_list', status: 'fail' }])
  })
})

describe('an identifier list is refused', () => {
  const stranger = makeCertificate()
  const sameAuthority = makeCertificate({ issuer: fixture.authority, common_name: 'Another Signer' })

  test.each<[string, StatusListToken]>([
    ['that is signed with another key', makeList(fixture.signer, { key: stranger })],
    ['of an untrusted signer', makeList(stranger)],
    ['of another signer of the same authority', makeList(sameAuthority)],
    ['issued for another URI', makeList(fixture.signer, { claims: [[2, 'https://other.example']] })],
    ['that has expired', makeList(fixture.signer, { claims: [[4, fixedNow]] })],
    ['of another type', makeList(fixture.signer, { type: 'application/statuslist+cwt' })],
    ['whose identifiers are an array', makeList(fixture.signer, { identifiers: [Buffer.of(9)] })],
    ['without identifiers', makeList(fixture.signer, { claims: [[65530, cborMap({})]] })],
    ['that is a status list', makeListCwt(fixture.signer)],
    ['that is not CBOR', { token: Buffer.from('nonsense'), media: 'cwt' }],
    ['that is a JWT', { token: 'eyJ', media: 'jwt' }],
  ])('%s', async (_, list) => {
    expect(await check(list)).toMatchObject([{ check: 'status_list', status: 'fail' }])
  })

  test('without exp, which the standard requires', () => {
    expect(openIdentifierList(makeList(fixture.signer, { without: 4 }))).toEqual({
      error: 'the identifier list has no exp',
    })
  })

  test(`with more than ${maxIdentifiers} identifiers`, () => {
    const numbered = (count: number) =>
      listOf(Array.from({ length: count }, (_, at) => Buffer.from(at.toString(16).padStart(8, '0'), 'hex')))
    expect(
      openIdentifierList(makeList(fixture.signer, { identifiers: numbered(2 * maxIdentifiers) })),
    ).toHaveProperty('error')
    const opened = openIdentifierList(makeList(fixture.signer, { identifiers: numbered(20_000) }))
    expect('value' in opened && listsIdentifier(opened.value, Buffer.from('00004e1f', 'hex'))).toBe(true)
  })
})

test('an SD-JWT VC cannot refer to an identifier list: its status is unknown', () => {
  const status = { identifier_list: { id: id.toString('base64url'), uri: listUri } }
  const credential = verifySdJwt(presentSdJwt(fixture, { payload: { status } }), fixture.context)
  expect(credential.findings).toMatchObject([{ check: 'status_list', status: 'fail' }])
})
