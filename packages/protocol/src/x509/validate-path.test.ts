import { describe, expect, test } from 'vitest'
import {
  certificateSignUsage,
  extension,
  fixedNow,
  keyId,
  makeCertificate,
  makeKey,
  year_seconds,
} from '../../test/certificates.ts'
import { listFailures } from '../../test/presented-credential.ts'
import { der, octets, sequence, utf8 } from '../../test/write-der.ts'
import { intermediate, leaf, root, validate } from '../../test/validate-path.ts'
import type { Anchor } from '../presentation.ts'
import { documentProfile } from './profiles.ts'
import { validatePath } from './validate-path.ts'

describe('[OID4VP-29] a path is valid', () => {
  test('from the signer directly to an anchor', () => {
    const signer = leaf({ common_name: 'Signer', country: 'NL' })
    const path = validate([signer])
    expect(path).toMatchObject({ findings: [], anchor: { subject: { common_name: 'Root' } } })
    expect(path.signer?.subject).toMatchObject({ common_name: 'Signer', country: 'NL' })
    expect(path.authority_key_ids).toEqual([keyId(root).toString('base64url')])
  })

  test('over an intermediate authority, with or without the anchor at the end', () => {
    const authority = intermediate()
    const signer = leaf({ issuer: authority })
    expect(validate([signer, authority]).findings).toEqual([])
    expect(validate([signer, authority, root]).findings).toEqual([])
  })

  test('if the anchor is the intermediate authority', () => {
    const authority = intermediate()
    const path = validate([leaf({ issuer: authority }), authority], {
      anchors: [{ certificate: authority.der }],
    })
    expect(path.anchor?.subject.common_name).toBe('Between')
  })

  test('if the anchor is the certificate of the signer', () => {
    const signer = makeCertificate()
    expect(validate([signer], { anchors: [{ certificate: signer.der }] }).anchor).toBeDefined()
  })

  test('if two anchors have the same name', () => {
    const twin = makeCertificate({ authority: true, common_name: 'Root' })
    const anchors = [{ certificate: twin.der }, { certificate: root.der }]
    expect(validate([leaf()], { anchors }).findings).toEqual([])
  })

  test('if one of two certificates of an anchor has expired, in either order', () => {
    const expired = makeCertificate({
      authority: true,
      common_name: 'Root',
      key: root,
      valid_until: fixedNow - 1,
    })
    const anchors = [{ certificate: expired.der }, { certificate: root.der }]
    expect(validate([leaf()], { anchors }).findings).toEqual([])
    expect(validate([leaf()], { anchors: anchors.toReversed() }).findings).toEqual([])
    expect(listFailures(validate([leaf()], { anchors: anchors.slice(0, 1) }))).toEqual([
      'issuer_certificate_validity',
    ])
  })

  test('if the first anchor of that name and key is not trusted for the document, but another is', () => {
    const renewed = makeCertificate({ authority: true, common_name: 'Root', key: root })
    const anchors = [
      { certificate: root.der, document_types: ['urn:other'] },
      { certificate: renewed.der, document_types: ['urn:any'] },
    ]
    expect(validate([leaf()], { anchors }).findings).toEqual([])
  })

  test('over the certificate of its authority that leads to an anchor, if another does not', () => {
    const authority = intermediate()
    const pinnedButExpired = intermediate({ key: authority, valid_until: fixedNow - 1 })
    const anchors = [{ certificate: pinnedButExpired.der }, { certificate: root.der }]
    expect(validate([leaf({ issuer: authority }), authority], { anchors }).findings).toEqual([])
  })

  test('with signatures by RSA, P-384, P-521, Brainpool and Ed25519 keys', () => {
    const brainpool = ['brainpoolP256r1', 'brainpoolP320r1', 'brainpoolP384r1', 'brainpoolP512r1'] as const
    for (const kind of ['RSA', 'P-384', 'P-521', ...brainpool, 'Ed25519'] as const) {
      const authority = makeCertificate({ authority: true, key: makeKey(kind) })
      const anchors = [{ certificate: authority.der }]
      expect(validate([leaf({ issuer: authority })], { anchors }).findings).toEqual([])
    }
  })

  test('with an anchor that is trusted for this document type', () => {
    const anchors = [{ certificate: root.der, document_types: ['urn:any'] }]
    expect(validate([leaf()], { anchors }).findings).toEqual([])
  })
})

describe('[OID4VP-29] x5c alone proves nothing', () => {
  test('a self-signed certificate is not trusted', () => {
    expect(listFailures(validate([makeCertificate()]))).toEqual(['issuer_trust'])
  })

  test('nor is a chain to another root', () => {
    const other = makeCertificate({ authority: true, common_name: 'Other' })
    const path = validate([leaf({ issuer: other }), other])
    expect(listFailures(path)).toEqual(['issuer_trust'])
    expect(path.anchor).toBeUndefined()
  })

  test('nor is a forged root with the name of an anchor', () => {
    const forged = makeCertificate({ authority: true, common_name: 'Root' })
    expect(listFailures(validate([leaf({ issuer: forged }), forged]))).toEqual(['issuer_trust'])
  })

  test('nor is a signer that names an anchor as its issuer but was signed with another key', () => {
    expect(listFailures(validate([leaf({ forged_with: makeKey() })]))).toEqual(['issuer_trust'])
  })

  test('nor is a forged signer below a genuine authority', () => {
    const authority = intermediate()
    const forged = leaf({ issuer: authority, forged_with: makeKey() })
    expect(listFailures(validate([forged, authority]))).toEqual(['issuer_trust'])
  })

  test('nor is any certificate in an environment without anchors', () => {
    expect(listFailures(validate([leaf()], { anchors: [] }))).toEqual(['issuer_trust'])
  })

  test('an anchor for other documents is reported as such', () => {
    const anchors = [{ certificate: root.der, document_types: ['urn:other'] }]
    expect(listFailures(validate([leaf()], { anchors }))).toEqual(['issuer_document_type'])
  })
})

describe('[OID4VP-29] authority key ids', () => {
  const other = makeCertificate({ authority: true, common_name: 'Other' })
  const below = makeCertificate({ issuer: other, authority: true, common_name: 'Below Other' })

  test('are those of every certificate in the path', () => {
    const authority = intermediate()
    expect(validate([leaf({ issuer: authority }), authority]).authority_key_ids).toEqual(
      [authority, root].map((each) => keyId(each).toString('base64url')),
    )
  })

  test('do not include certificates outside the path', () => {
    const path = validate([leaf(), below, other])
    expect(path.findings).toEqual([])
    expect(path.authority_key_ids).toEqual([keyId(root).toString('base64url')])
  })

  test('are empty if no path is valid', () => {
    expect(validate([leaf({ forged_with: makeKey() })]).authority_key_ids).toEqual([])
    expect(validate([leaf({ valid_until: fixedNow - 1 })]).authority_key_ids).toEqual([])
  })
})

describe('[OID4VP-29] the included certificates', () => {
  test('must be present, and at most five', () => {
    expect(listFailures(validate([]))).toEqual(['issuer_certificate'])
    expect(listFailures(validate(Array.from({ length: 6 }, () => leaf())))).toEqual(['issuer_certificate'])
  })

  test('must be in order', () => {
    const [upper, lower] = [intermediate({ common_name: 'Upper' }), intermediate({ common_name: 'Lower' })]
    const signer = leaf({ issuer: lower })
    expect(listFailures(validate([signer, upper, lower]))).toEqual(['issuer_certificate'])
  })

  test('must be complete DER certificates', () => {
    const { der: valid } = leaf()
    const pemText = Buffer.from(
      `-----BEGIN CERTIFICATE-----\n${valid.toString('base64')}\n-----END CERTIFICATE-----`,
    )
    const wrong = [
      Buffer.alloc(0),
      Buffer.from('3000', 'hex'),
      valid.subarray(0, -1),
      Buffer.concat([valid, Buffer.from([0])]),
      pemText,
      Buffer.alloc(16 * 1024 + 1, 0x30),
      sequence(sequence(), sequence(), der(0x03)),
    ]
    for (const bytes of wrong) expect(listFailures(validate([bytes]))).toEqual(['issuer_certificate'])
  })
})

describe('[OID4VP-29] validity at the given time', () => {
  test('includes both ends and excludes one second beyond', () => {
    const signer = leaf({ valid_from: fixedNow - 100, valid_until: fixedNow + 100 })
    for (const now of [fixedNow - 100, fixedNow, fixedNow + 100])
      expect(validate([signer], { now }).findings).toEqual([])
    for (const now of [fixedNow - 101, fixedNow + 101]) {
      expect(listFailures(validate([signer], { now }))).toEqual(['issuer_certificate_validity'])
    }
  })

  test('an expired authority, intermediate or anchor, certifies nobody', () => {
    const expired = intermediate({ valid_until: fixedNow - 1 })
    expect(listFailures(validate([leaf({ issuer: expired }), expired]))).toEqual([
      'issuer_certificate_validity',
    ])
    const later = fixedNow + year_seconds + 1
    expect(
      listFailures(validate([leaf({ valid_until: fixedNow + 2 * year_seconds })], { now: later })),
    ).toEqual(['issuer_certificate_validity'])
  })
})

describe('[OID4VP-29] permitted use of certificates', () => {
  test('an issuer without basic constraints is not an authority', () => {
    const signer = leaf()
    const below = makeCertificate({ issuer: signer, common_name: 'Below' })
    expect(listFailures(validate([below, signer]))).toContain('issuer_certificate_profile')
  })

  test('an authority without keyCertSign is refused', () => {
    const authority = intermediate({ usage: 0x80 })
    expect(listFailures(validate([leaf({ issuer: authority }), authority]))).toEqual([
      'issuer_certificate_profile',
    ])
  })

  test('an authority must not sign documents', () => {
    expect(listFailures(validate([intermediate({ usage: 0x84 })]))).toEqual(['issuer_certificate_profile'])
    expect(listFailures(validate([root]))).toContain('issuer_certificate_profile')
  })

  test('a signer needs digitalSignature, if it has a key usage', () => {
    expect(listFailures(validate([leaf({ usage: certificateSignUsage })]))).toEqual([
      'issuer_certificate_profile',
    ])
    expect(validate([leaf({ usage: null })]).findings).toEqual([])
  })

  test('a path length of 0 allows no authority below, a path length of 1 allows one', () => {
    const narrow = makeCertificate({ authority: true, common_name: 'Narrow', path_length: 0 })
    const wide = makeCertificate({ authority: true, common_name: 'Wide', path_length: 1 })
    for (const [top, expected] of [
      [narrow, ['issuer_certificate_profile']],
      [wide, []],
    ] as const) {
      const authority = intermediate({ issuer: top })
      const path = validate([leaf({ issuer: authority }), authority], { anchors: [{ certificate: top.der }] })
      expect(listFailures(path)).toEqual(expected)
    }
  })

  test('an unknown critical extension in any certificate is refused; an unknown non-critical one is not', () => {
    const nameConstraints = (critical: boolean): Buffer => extension('2.5.29.30', sequence(), critical)
    expect(listFailures(validate([leaf({ extensions: [nameConstraints(true)] })]))).toEqual([
      'issuer_certificate_profile',
    ])
    expect(validate([leaf({ extensions: [nameConstraints(false)] })]).findings).toEqual([])
    const authority = intermediate({ extensions: [extension('1.2.3.4', utf8('x'), true)] })
    expect(listFailures(validate([leaf({ issuer: authority }), authority]))).toEqual([
      'issuer_certificate_profile',
    ])
  })

  test('a duplicate extension is refused', () => {
    const twice = extension('1.2.3.4', octets(Buffer.alloc(1)))
    expect(listFailures(validate([leaf({ extensions: [twice, twice] })]))).toEqual(['issuer_certificate'])
  })

  test('a certificate signed with SHA-1 is not trusted', () => {
    expect(listFailures(validate([leaf({ signature_hash: 'sha1' })]))).toEqual(['issuer_trust'])
  })
})

test('[OID4VP-29] an unreadable anchor is ignored', () => {
  const anchors = [{ certificate: Buffer.from('nonsense') }, { certificate: root.der }]
  expect(validate([leaf()], { anchors }).findings).toEqual([])
})

describe('the role of an anchor', () => {
  const certificate = root.der
  const roles = ['issuing', 'revocation', 'list_signing', 'registration'] as const
  const entity = 'https://lists.example NTRNL-1234'

  test.each(roles)('%s is found by those who ask for it, with its entity, and by nobody else', (role) => {
    const anchors = [{ certificate, role, entity }]
    const found = validate([leaf()], { anchors, roles: [role] })
    expect(found).toMatchObject({ findings: [], anchor_role: role, anchor_entity: entity })
    const others = roles.filter((each) => each !== role)
    for (const asked of [...others.map((each) => [each]), others, []])
      expect(validate([leaf()], { anchors, roles: asked })).toMatchObject({
        findings: [{ check: 'issuer_trust', status: 'fail' }],
      })
  })

  test('is issuing if nobody names one', () => {
    expect(validate([leaf()], { anchors: [{ certificate }] })).toMatchObject({ anchor_role: 'issuing' })
    expect(validate([leaf()], { anchors: [{ certificate, role: 'issuing' }] }).anchor).toBeDefined()
    expect(validate([leaf()], { anchors: [{ certificate, role: 'revocation' }] }).anchor).toBeUndefined()
  })

  test('may be one of several of the same certificate, in any order', () => {
    const anchors: Anchor[] = [
      { certificate, role: 'revocation', entity },
      { certificate, role: 'issuing' },
    ]
    for (const order of [anchors, anchors.toReversed()])
      expect(validate([leaf()], { anchors: order })).toMatchObject({ findings: [], anchor_role: 'issuing' })
  })

  test('applies to a pinned signer too', () => {
    const signer = leaf()
    const anchors: Anchor[] = [{ certificate: signer.der, role: 'revocation' }]
    expect(validate([signer], { anchors }).anchor).toBeUndefined()
    expect(validate([signer], { anchors, roles: ['revocation'] }).anchor).toBeDefined()
  })
})

describe('[OID4VP-29] a path that was valid and is kept', () => {
  const anchors = [{ certificate: root.der }]
  const signer = leaf()
  const day_seconds = 86_400

  test('is valid again, with findings of its own', () => {
    const first = validate([signer], { anchors })
    const { findings, anchor, path, trust_lists } = first
    expect(findings).toEqual([])
    first.findings.push({ check: 'issuer_trust', status: 'fail' })
    expect(validate([signer], { anchors })).toEqual({ ...first, findings: [], anchor, path, trust_lists })
  })

  test('ends with the validity of any of its certificates, and only then', () => {
    expect(validate([signer], { anchors }).findings).toEqual([])
    const late = validate([signer], { anchors, now: fixedNow + 40 * year_seconds })
    expect(listFailures(late)).toContain('issuer_certificate_validity')
    expect(late.anchor).toBeUndefined()
    const early = validate([signer], { anchors, now: fixedNow - 40 * year_seconds })
    expect(listFailures(early)).toContain('issuer_certificate_validity')
    expect(validate([signer], { anchors, now: fixedNow + day_seconds }).findings).toEqual([])
  })

  test('ends when the anchors change', () => {
    expect(validate([signer], { anchors }).anchor).toBeDefined()
    const others = [{ certificate: makeCertificate({ authority: true, common_name: 'Other' }).der }]
    expect(validate([signer], { anchors: others }).anchor).toBeUndefined()
    expect(validate([signer], { anchors: [] }).anchor).toBeUndefined()
  })

  test('is not taken for another role, type, profile, chain or condition', () => {
    const limited = [{ certificate: root.der, document_types: ['urn:one'] }]
    expect(validate([signer], { anchors: limited, document_type: 'urn:one' }).anchor).toBeDefined()
    expect(validate([signer], { anchors: limited, document_type: 'urn:two' }).anchor).toBeUndefined()
    expect(
      validate([signer], { anchors: limited, document_type: 'urn:one', roles: ['revocation'] }).anchor,
    ).toBeUndefined()
    const profile = { ...documentProfile(['urn:one']), required: 'critical' as const }
    expect(validate([signer], { anchors: limited, document_type: 'urn:one', profile }).anchor).toBeUndefined()
    const same = makeCertificate({ common_name: 'Other' })
    expect(validate([same], { anchors: limited, document_type: 'urn:one' }).anchor).toBeUndefined()
    const request = {
      chain: [signer.der],
      anchors: limited,
      document_types: ['urn:one'],
      profile: documentProfile(['urn:one']),
      now: fixedNow,
    }
    expect(validatePath(request).anchor).toBeDefined()
    expect(validatePath({ ...request, accepts: () => false }).anchor).toBeUndefined()
  })
})
