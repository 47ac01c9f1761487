import { describe, expect, test } from 'vitest'
import { cborDate, cborMap, encodeCbor, wrapInTag24, type CborValue } from '../../test/cbor.ts'
import {
  fixedNow,
  makeCertificate,
  makeKey,
  mdlSignerOid,
  year_seconds,
  type KeyKind,
} from '../../test/certificates.ts'
import { makeFixture, typeNames } from '../../test/fixture.ts'
import { issuerSignedItem, mdlNameSpace, presentMdoc, type MdocOptions } from '../../test/mdoc.ts'
import { listFailures } from '../../test/presented-credential.ts'
import { coseKey } from '../../test/sign.ts'
import type { PresentedCredential } from '../presentation.ts'
import { verifyMdoc } from './verify.ts'

const fixture = makeFixture()

const verify = (options?: MdocOptions): PresentedCredential =>
  verifyMdoc(presentMdoc(fixture, options), fixture.context)

describe('[OID4VP-24] [OID4VP-25] [OID4VP-26] [OID4VP-27] [OID4VP-28] a valid presentation', () => {
  test('is accepted without findings', () => {
    expect(verify()).toMatchObject({
      format: 'mso_mdoc',
      doctype_or_vct: typeNames.mdl,
      claims: { [mdlNameSpace]: { family_name: 'Mustermann', issuing_country: 'UT' } },
      issuer: { common_name: 'Test Signer', country: 'UT' },
      trusted: true,
      signature_valid: true,
      holder_binding_valid: true,
      findings: [],
    })
  })

  const brainpool: KeyKind[] = ['brainpoolP256r1', 'brainpoolP320r1', 'brainpoolP384r1', 'brainpoolP512r1']
  const kinds: KeyKind[] = ['P-256', 'P-384', 'P-521', ...brainpool, 'Ed25519']
  test.each(kinds)('may be signed and presented with a key on %s', (kind) => {
    const purposes = { critical: true, oids: [mdlSignerOid] }
    const signer = makeCertificate({ issuer: fixture.authority, key: makeKey(kind), purposes })
    const device = makeKey(kind)
    expect(verify({ signer, chain: signer.der, device, device_key: coseKey(device) }).findings).toEqual([])
  })

  test('returns its values as JSON', () => {
    const elements: Record<string, CborValue> = {
      portrait: Buffer.from([0xff, 0xd8]),
      birth_date: { tag: 1004, value: '1990-01-01' },
      age_over_18: true,
      height: 170,
      driving_privileges: [
        cborMap({ vehicle_category_code: 'A', issue_date: { tag: 1004, value: '2020-01-01' } }),
      ],
    }
    expect(verify({ elements }).claims).toEqual({
      [mdlNameSpace]: {
        portrait: '_9g',
        birth_date: '1990-01-01',
        age_over_18: true,
        height: 170,
        driving_privileges: [{ vehicle_category_code: 'A', issue_date: '2020-01-01' }],
      },
    })
  })

  test('may include a certificate chain', () => {
    expect(verify({ chain: [fixture.signer.der, fixture.authority.der] }).findings).toEqual([])
  })

  test('may withhold elements that the issuer signed', () => {
    expect(verify({ change_items: (items) => items.slice(1) }).findings).toEqual([])
    expect(verify({ change_items: () => [] }).claims).toEqual({})
  })

  test('refers to its entry in a status list', () => {
    const status = cborMap({ status_list: cborMap({ idx: 3, uri: 'https://issuer.example/status/1' }) })
    expect(verify({ mso: { status } }).status_list).toEqual({
      idx: 3,
      uri: 'https://issuer.example/status/1',
    })
  })

  test('may have any minor version', () => {
    expect(verify({ mso: { version: '1.1' }, response: { version: '1.1' } }).findings).toEqual([])
  })
})

describe('[OID4VP-24] the DeviceResponse', () => {
  const unreadable: [string, MdocOptions][] = [
    ['another status', { response: { status: 10 } }],
    ['a status that is text', { response: { status: '0' } }],
    ['no document', { response: { documents: [] } }],
    ['documents that are not a list', { response: { documents: cborMap({}) } }],
    ['another major version', { response: { version: '2.0' } }],
    ['an MSO of another major version', { mso: { version: '2.0' } }],
    ['an element that is not wrapped', { change_items: () => [cborMap({ digestID: 0 })] }],
    [
      'an element without a name',
      { change_items: () => [wrapInTag24(cborMap({ digestID: 0, elementValue: 1 }))] },
    ],
    [
      'an element without a digest id',
      { change_items: () => [wrapInTag24(cborMap({ elementIdentifier: 'a' }))] },
    ],
    ['no issuerAuth', { document: { issuerSigned: cborMap({}) } }],
    ['an issuerAuth of three parts', { document: { issuerSigned: cborMap({ issuerAuth: [1, 2, 3] }) } }],
    ['a digest algorithm that is not accepted', { mso: { digestAlgorithm: 'SHA-1' } }],
    ['no device key', { mso: { deviceKeyInfo: cborMap({}) } }],
    ['an invalid date', { validity: { validUntil: { tag: 0, value: '2026-13-01T00:00:00Z' } } }],
    ['a date without its tag', { validity: { signed: '2026-01-01T00:00:00Z' } }],
    [
      'device-signed elements that are not wrapped',
      { document: { deviceSigned: cborMap({ nameSpaces: cborMap({}) }) } },
    ],
  ]
  test.each(unreadable)('with %s is unreadable', (_, options) => {
    const credential = verify(options)
    expect(listFailures(credential)).toEqual(['credential_encoding'])
    expect(credential).toMatchObject({
      trusted: false,
      signature_valid: false,
      holder_binding_valid: false,
      claims: {},
    })
  })

  test('with two documents is unreadable', () => {
    expect(listFailures(verify({ response: { documents: [cborMap({}), cborMap({})] } }))).toEqual([
      'credential_encoding',
    ])
  })

  test.each([
    ['empty', ''],
    ['not base64url', '!!'],
    ['not CBOR', 'AAAA'],
    ['padded', `${presentMdoc(fixture)}=`],
    [
      'followed by an extra byte',
      Buffer.concat([Buffer.from(presentMdoc(fixture), 'base64url'), Buffer.alloc(1)]).toString('base64url'),
    ],
    ['larger than a response may be', 'A'.repeat(1_400_001)],
    ['nested arrays', Buffer.alloc(100_000, 0x81).toString('base64url')],
  ])('that is %s is unreadable', (_, presentation) => {
    expect(listFailures(verifyMdoc(presentation, fixture.context))).toEqual(['credential_encoding'])
  })

  test('with more than 500 elements is unreadable', () => {
    const many = Array.from({ length: 501 }, (_, id) => issuerSignedItem(id, `element_${id}`, id))
    expect(listFailures(verify({ change_items: () => many }))).toEqual(['credential_encoding'])
  })

  test('with a repeated element is refused', () => {
    const credential = verify({ change_items: ([first = null, ...rest]) => [first, first, ...rest] })
    expect(listFailures(credential)).toEqual(['element_digests'])
    expect(credential.signature_valid).toBe(false)
  })
})

describe('[OID4VP-25] what the issuer signed', () => {
  test('a changed value, name, id or salt is refused', () => {
    const others = [
      issuerSignedItem(0, 'family_name', 'Other'),
      issuerSignedItem(0, 'given_name', 'Mustermann'),
      issuerSignedItem(1, 'family_name', 'Mustermann'),
      issuerSignedItem(99, 'family_name', 'Mustermann'),
      wrapInTag24(
        cborMap({
          digestID: 0,
          random: Buffer.alloc(16, 7),
          elementIdentifier: 'family_name',
          elementValue: 'Mustermann',
        }),
      ),
    ]
    for (const other of others) {
      const credential = verify({ change_items: ([, ...rest]) => [other, ...rest] })
      expect(listFailures(credential)).toContain('element_digests')
      expect(credential.signature_valid).toBe(false)
    }
  })

  test('an element moved to another namespace is refused', () => {
    const presentation = presentMdoc(fixture, { mso: { valueDigests: cborMap({ other: new Map() }) } })
    expect(listFailures(verifyMdoc(presentation, fixture.context))).toContain('element_digests')
  })

  test('an element with another encoding of the same value is refused', () => {
    const item = Buffer.from(encodeCbor(issuerSignedItem(0, 'family_name', 'Mustermann')))
    // d8 18 58 .. becomes d8 18 59 00 ..: the same bytes with an overlong length.
    const longer = Buffer.concat([item.subarray(0, 2), Buffer.from([0x59, 0x00]), item.subarray(3)])
    expect(item[2]).toBe(0x58)
    expect(listFailures(verify({ change_items: ([, ...rest]) => [{ encoded: longer }, ...rest] }))).toEqual([
      'element_digests',
    ])
  })

  test('the signature of another key is refused', () => {
    const credential = verify({ signer: makeKey() })
    expect(credential).toMatchObject({ trusted: true, signature_valid: false })
    expect(listFailures(credential)).toEqual(['issuer_signature'])
  })

  test('an algorithm that does not match the key, or is not accepted, is refused', () => {
    for (const alg of [-35, -8, -257, 5, 0]) {
      expect(listFailures(verify({ issuer_header: new Map([[1, alg]]) }))).toEqual(['issuer_algorithm'])
    }
    expect(listFailures(verify({ issuer_header: new Map() }))).toEqual(['issuer_algorithm'])
    expect(verify({ issuer_header: new Map([[1, -9]]) }).findings).toEqual([])
  })

  test('a critical header, or one in both places, is unreadable', () => {
    expect(listFailures(verify({ issuer_header: new Map<number, CborValue>([[1, -7], [2, [1]]]) }))).toEqual(['credential_encoding']) // prettier-ignore
    expect(listFailures(verify({ issuer_header: new Map<number, CborValue>([[1, -7], [33, fixture.signer.der]]) }))).toEqual(['credential_encoding']) // prettier-ignore
  })

  test('without x5chain the issuer is unknown', () => {
    expect(listFailures(verify({ chain: [] }))).toEqual(['issuer_certificate'])
    expect(listFailures(verify({ chain: 'text' }))).toEqual(['credential_encoding'])
  })

  test('a signer of another root is not trusted', () => {
    const signer = makeCertificate({ purposes: { critical: true, oids: [mdlSignerOid] } })
    const credential = verify({ signer, chain: signer.der })
    expect(credential).toMatchObject({ trusted: false, signature_valid: true })
    expect(listFailures(credential)).toEqual(['issuer_trust'])
  })

  test('validFrom and validUntil are enforced with 60 s of clock skew', () => {
    for (const validity of [
      { validFrom: cborDate(fixedNow + 60) },
      { validUntil: cborDate(fixedNow - 59) },
    ]) {
      expect(verify({ validity }).findings).toEqual([])
    }
    for (const validity of [
      { validFrom: cborDate(fixedNow + 61) },
      { validUntil: cborDate(fixedNow - 60) },
    ]) {
      expect(listFailures(verify({ validity }))).toEqual(['credential_validity'])
    }
  })

  test('the signing time must lie within the validity of the certificate, give or take the skew of clocks', () => {
    const signedAt = (time: number) => listFailures(verify({ validity: { signed: cborDate(time) } }))
    for (const time of [fixedNow - year_seconds - 60, fixedNow + year_seconds + 60])
      expect(signedAt(time)).toEqual([])
    for (const time of [fixedNow - year_seconds - 61, fixedNow + year_seconds + 61])
      expect(signedAt(time)).toEqual(['signing_time'])
  })
})

describe('[OID4VP-16] the type', () => {
  test('of the document must match the signed one', () => {
    const credential = verify({ document: { docType: 'org.example.other' } })
    expect(listFailures(credential)).toEqual(['credential_type'])
    expect(credential.doctype_or_vct).toBe(typeNames.mdl)
  })
})

describe('[OID4VP-28] the country of a driving licence', () => {
  test('must match its signer', () => {
    expect(listFailures(verify({ elements: { issuing_country: 'NL' } }))).toEqual(['issuer_country'])
    expect(verify({ elements: { family_name: 'Mustermann' } }).findings).toEqual([])
  })

  test('and jurisdiction must match, if the certificate names one', () => {
    const purposes = { critical: true, oids: [mdlSignerOid] }
    const signer = makeCertificate({ issuer: fixture.authority, state: 'UT-1', purposes })
    const withState = { signer, chain: signer.der }
    expect(verify({ ...withState, elements: { issuing_jurisdiction: 'UT-1' } }).findings).toEqual([])
    expect(listFailures(verify({ ...withState, elements: { issuing_jurisdiction: 'UT-2' } }))).toEqual([
      'issuer_country',
    ])
    expect(verify({ elements: { issuing_jurisdiction: 'UT-2' } }).findings).toEqual([])
  })

  test('is not checked for other documents', () => {
    const options = {
      doc_type: 'org.example.card',
      name_space: 'org.example',
      elements: { issuing_country: 'NL' },
    }
    expect(verify(options).findings).toEqual([])
  })
})
