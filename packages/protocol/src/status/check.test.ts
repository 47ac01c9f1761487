import { describe, expect, test } from 'vitest'
import { cborMap } from '../../test/cbor.ts'
import {
  fixedNow,
  makeCertificate,
  mdlSignerOid,
  year_seconds,
  type IssuedCertificate,
} from '../../test/certificates.ts'
import { makeContext, makeFixture, typeNames } from '../../test/fixture.ts'
import { presentMdoc } from '../../test/mdoc.ts'
import { presentSdJwt } from '../../test/sd-jwt.ts'
import { listUri, makeListCwt, makeListJwt, type StatusListOptions } from '../../test/status-list.ts'
import { verifyMdoc } from '../mdoc/verify.ts'
import type {
  Anchor,
  Finding,
  PresentedCredential,
  StatusListToken,
  VerificationContext,
} from '../presentation.ts'
import { verifySdJwt } from '../sd-jwt/verify.ts'
import { checkStatus } from './check.ts'

const fixture = makeFixture()

function credentialAt(idx: number): PresentedCredential {
  const status = { status_list: { idx, uri: listUri } }
  return verifySdJwt(presentSdJwt(fixture, { payload: { status } }), fixture.context)
}

function contextWith(
  list?: StatusListToken,
  other: Partial<VerificationContext['trust']> = {},
): VerificationContext {
  const context = makeContext([{ certificate: fixture.authority.der }], list ? { [listUri]: list } : {})
  return { ...context, trust: { ...context.trust, ...other } }
}

const checkAt = (idx: number, list?: StatusListToken): Promise<Finding[]> =>
  checkStatus(credentialAt(idx), contextWith(list))

const signedBy = (signer: IssuedCertificate, options?: StatusListOptions): StatusListToken =>
  makeListJwt(signer, options)

describe('[OID4VP-30] the status of a credential', () => {
  const bytes = Buffer.from([0b00_11_10_01])
  const list = makeListJwt(fixture.signer, { bits: 2, bytes })

  test.each([
    [3, 'good', []],
    [
      0,
      'revoked',
      [{ check: 'revocation', status: 'fail', detail: 'the issuer has revoked the credential' }],
    ],
    [
      1,
      'suspended',
      [{ check: 'revocation', status: 'fail', detail: 'the issuer has suspended the credential' }],
    ],
    [2, 'anything else', [{ check: 'revocation', status: 'fail' }]],
    [4, 'beyond the end', [{ check: 'status_list', status: 'fail' }]],
  ])('at %i is %s', async (idx, _, findings) => {
    expect(await checkAt(idx, list)).toMatchObject(findings)
  })

  test('is also read from a CWT, and for an mdoc', async () => {
    const cwt = makeListCwt(fixture.signer, { bits: 2, bytes })
    expect(await checkAt(0, cwt)).toMatchObject([{ check: 'revocation' }])
    const status = cborMap({ status_list: cborMap({ idx: 3, uri: listUri }) })
    const mdoc = verifyMdoc(presentMdoc(fixture, { mso: { status } }), fixture.context)
    expect(mdoc.findings).toEqual([])
    expect(await checkStatus(mdoc, contextWith(cwt))).toEqual([])
  })

  test('is good without a lookup if the credential names no list', async () => {
    const credential = verifySdJwt(presentSdJwt(fixture), fixture.context)
    const lookUpStatus = (): never => {
      throw new Error('no lookup expected')
    }
    expect(await checkStatus(credential, contextWith(undefined, { lookUpStatus }))).toEqual([])
  })
})

describe('[OID4VP-30] an unavailable list', () => {
  test('never passes', async () => {
    expect(await checkAt(0)).toMatchObject([{ check: 'status_list', status: 'fail' }])
  })

  test('is a warning if the policy says so', async () => {
    const context = contextWith(undefined, { status_unavailable: 'warning' })
    expect(await checkStatus(credentialAt(0), context)).toMatchObject([
      { check: 'status_list', status: 'warning' },
    ])
  })
})

describe('[OID4VP-30] an invalid list fails, regardless of the policy', () => {
  const otherRoot = makeCertificate({ authority: true, common_name: 'Other Authority' })
  const untrusted = makeCertificate({ issuer: otherRoot })
  const expired = makeCertificate({ issuer: fixture.authority, valid_until: fixedNow - 1 })
  const other = makeCertificate({ issuer: fixture.authority, common_name: 'Another Signer' })
  const otherDocuments = makeCertificate({
    issuer: fixture.authority,
    common_name: 'Another Document Signer',
    purposes: { critical: true, oids: [mdlSignerOid] },
  })
  const tls = makeCertificate({
    issuer: fixture.authority,
    common_name: 'Test Signer',
    purposes: { critical: false, oids: ['1.3.6.1.5.5.7.3.1'] },
  })
  const authorityItself = makeCertificate({ issuer: fixture.authority, authority: true, usage: 0x84 })

  const wrong: [string, StatusListToken][] = [
    ['issued for another URI', signedBy(fixture.signer, { payload: { sub: 'https://other.example' } })],
    ['expired', signedBy(fixture.signer, { payload: { exp: fixedNow } })],
    ['issued in the future', signedBy(fixture.signer, { payload: { iat: fixedNow + 61 } })],
    ['signed with the wrong key', signedBy(fixture.signer, { key: untrusted })],
    ['signed by an untrusted certificate', signedBy(untrusted, { chain: [untrusted.der, otherRoot.der] })],
    ['signed by a self-signed certificate', signedBy(makeCertificate())],
    ['signed by an expired certificate', signedBy(expired)],
    ['signed by an authority', signedBy(authorityItself)],
    ['signed by another leaf of the same authority', signedBy(other)],
    ['signed by the signer of other documents', signedBy(otherDocuments)],
    ['signed by a TLS server certificate of the same name', signedBy(tls)],
  ]
  test.each(wrong)('%s', async (_, list) => {
    const context = contextWith(list, { status_unavailable: 'warning' })
    expect(await checkStatus(credentialAt(0), context)).toMatchObject([
      { check: 'status_list', status: 'fail' },
    ])
  })

  test('signed under another anchor than the credential, even a trusted one', async () => {
    const anchors = [{ certificate: fixture.authority.der }, { certificate: otherRoot.der }]
    const context = contextWith(signedBy(untrusted), { anchors })
    expect(await checkStatus(credentialAt(0), context)).toMatchObject([
      {
        check: 'status_list',
        status: 'fail',
        detail: expect.stringContaining('not signed under an authority'),
      },
    ])
  })

  test('signed under an anchor that is not trusted for this document', async () => {
    const anchors = [{ certificate: fixture.authority.der, document_types: [typeNames.mdl] }]
    const context = contextWith(signedBy(fixture.signer), { anchors })
    expect(await checkStatus(credentialAt(0), context)).toMatchObject([
      { check: 'status_list', status: 'fail' },
    ])
  })
})

describe('[TRUST-8] a list signed under another anchor of the same entity', () => {
  const entity = 'https://lists.example NTRNL-1234'
  const statusRoot = makeCertificate({ authority: true, common_name: 'Status Authority' })
  const statusSigner = makeCertificate({ issuer: statusRoot, common_name: 'Status Signer' })
  const issuing: Anchor = { certificate: fixture.authority.der, role: 'issuing', entity }
  const revocation: Anchor = { certificate: statusRoot.der, role: 'revocation', entity }
  const refused = [{ check: 'status_list', status: 'fail' }]

  const check = (anchors: Anchor[], list = signedBy(statusSigner), credential = credentialAt(0)) =>
    checkStatus(credential, contextWith(list, { anchors, status_unavailable: 'warning' }))

  test('in the revocation role is accepted, as JWT and CWT, in both formats', async () => {
    expect(await check([issuing, revocation])).toEqual([])
    const status = cborMap({ status_list: cborMap({ idx: 0, uri: listUri }) })
    const mdoc = verifyMdoc(presentMdoc(fixture, { mso: { status } }), fixture.context)
    expect(await check([revocation, issuing], makeListCwt(statusSigner), mdoc)).toEqual([])
  })

  test('says what it says: revoked is revoked', async () => {
    const list = makeListJwt(statusSigner, { bits: 1, bytes: Buffer.from([1]) })
    expect(await check([issuing, revocation], list)).toMatchObject([{ check: 'revocation', status: 'fail' }])
  })

  test('may be signed by the anchor itself, if that is no authority', async () => {
    const pinned: Anchor = { certificate: statusSigner.der, role: 'revocation', entity }
    expect(await check([issuing, pinned])).toEqual([])
    // Certified by the credential's own authority, and nothing in the certificate says what it is for.
    const plain = makeCertificate({ issuer: fixture.authority, common_name: 'Plain' })
    expect(await check([issuing], signedBy(plain))).toMatchObject(refused)
    const plainAnchor: Anchor = { certificate: plain.der, role: 'revocation', entity }
    expect(await check([issuing, plainAnchor], signedBy(plain))).toEqual([])
  })

  const { entity: _issuing, ...issuingAlone } = issuing
  const { entity: _revocation, ...revocationAlone } = revocation
  test.each<[string, Anchor[]]>([
    ['of another entity', [issuing, { ...revocation, entity: 'https://lists.example NTRNL-9999' }]],
    ['in the issuing role', [issuing, { ...revocation, role: 'issuing' }]],
    ['in the registration role', [issuing, { ...revocation, role: 'registration' }]],
    ['in the list signing role', [issuing, { ...revocation, role: 'list_signing' }]],
    ['without an entity', [issuing, revocationAlone]],
    ['of an entity, for an issuer without one', [issuingAlone, revocation]],
    ['without an entity, for an issuer without one', [issuingAlone, revocationAlone]],
    ['for other documents', [issuing, { ...revocation, document_types: [typeNames.mdl] }]],
    [
      'of the entity of the issuer of other documents',
      [{ ...issuing, document_types: [typeNames.mdl] }, issuingAlone, revocation],
    ],
  ])('%s is refused', async (_, anchors) => {
    expect(await check(anchors)).toMatchObject(refused)
  })

  test('is accepted if one of several sources says that both are of one entity', async () => {
    expect(await check([issuingAlone, { ...issuing, entity: 'other' }, issuing, revocation])).toEqual([])
  })

  test('is refused from a certificate for something else', async () => {
    const signer = (oid: string) =>
      signedBy(makeCertificate({ issuer: statusRoot, purposes: { critical: false, oids: [oid] } }))
    expect(await check([issuing, revocation], signer('1.3.6.1.5.5.7.3.1'))).toMatchObject(refused)
    expect(await check([issuing, revocation], signer(mdlSignerOid))).toMatchObject(refused)
    expect(await check([issuing, revocation], signer('1.3.6.1.5.5.7.3.30'))).toEqual([])
  })

  test('that also issues is refused from a leaf that may be a signer of documents', async () => {
    const both: Anchor[] = [issuing, revocation, { ...revocation, role: 'issuing' }]
    expect(await check(both)).toMatchObject(refused)
    const same: Anchor[] = [issuing, { ...issuing, role: 'revocation' }]
    const other = makeCertificate({ issuer: fixture.authority, common_name: 'Another Signer' })
    expect(await check(same, signedBy(other))).toMatchObject(refused)
    expect(await check(same, signedBy(fixture.signer))).toEqual([])
  })

  test('does not make its signer an issuer', () => {
    const forged = { ...fixture, signer: statusSigner }
    for (const present of [
      () => verifySdJwt(presentSdJwt(forged), makeContext([issuing, revocation])),
      () => verifyMdoc(presentMdoc(forged), makeContext([issuing, revocation])),
    ]) {
      const { trusted, findings } = present()
      expect(trusted).toBe(false)
      expect(findings).toContainEqual(expect.objectContaining({ check: 'issuer_trust', status: 'fail' }))
    }
  })
})

test('[OID4VP-30] a list may have a dedicated signer under the same anchor', async () => {
  const purposes = { critical: true, oids: ['1.3.6.1.5.5.7.3.30'] }
  const signer = makeCertificate({ issuer: fixture.authority, common_name: 'Status Signer', purposes })
  expect(await checkAt(0, signedBy(signer))).toEqual([])
})

test('[OID4VP-30] a list may be signed with a renewed certificate of the signer of the credential', async () => {
  const renewed = makeCertificate({ issuer: fixture.authority, common_name: 'Test Signer' })
  expect(await checkAt(0, signedBy(renewed))).toEqual([])
})

test('[OID4VP-30] a CWT may carry the CWT tag and no other', async () => {
  const untagged = makeListCwt(fixture.signer)
  const wrap = (...tags: number[]): StatusListToken => {
    const bytes = Buffer.from(untagged.token)
    return { media: 'cwt', token: Buffer.concat([...tags.map(tagHead), bytes]) }
  }
  expect(await checkAt(0, wrap())).toEqual([])
  expect(await checkAt(0, wrap(61))).toEqual([])
  for (const wrong of [wrap(61, 61), wrap(62), wrap(18)])
    expect(await checkAt(0, wrong)).toMatchObject([{ check: 'status_list', status: 'fail' }])
})

/** The head of a tag below 256 (RFC 8949 §3.4). */
function tagHead(tag: number): Buffer {
  return tag < 24 ? Buffer.from([0xc0 + tag]) : Buffer.from([0xd8, tag])
}

test('[OID4VP-30] a cached token expires', async () => {
  const list = signedBy(fixture.signer)
  const context = contextWith(list)
  expect(await checkStatus(credentialAt(0), context)).toEqual([])
  expect(await checkStatus(credentialAt(0), { ...context, now: fixedNow + 3599 })).toEqual([])
  expect(await checkStatus(credentialAt(0), { ...context, now: fixedNow + 3600 })).toMatchObject([
    { check: 'status_list' },
  ])
  expect(await checkStatus(credentialAt(0), { ...context, now: fixedNow + 2 * year_seconds })).toMatchObject([
    { check: 'status_list' },
  ])
})
