import { describe, expect, test } from 'vitest'
import { makeCertificate, mdlSignerOid, type CertificateOptions } from '../../test/certificates.ts'
import { listFailures } from '../../test/presented-credential.ts'
import { leaf, validate } from '../../test/validate-path.ts'
import {
  documentProfile,
  registrationProfile,
  revocationProfile,
  statusListProfile,
  trustListProfile,
  vicalProfile,
} from './profiles.ts'
import type { PathResult } from './validate-path.ts'

const mdlDocType = 'org.iso.18013.5.1.mDL'

describe('[OID4VP-29] the signer of a driving licence', () => {
  const licence = (options: CertificateOptions): PathResult =>
    validate([leaf(options)], { document_type: mdlDocType })

  test('has a critical purpose and the country of its authority', () => {
    expect(licence({ purposes: { critical: true, oids: [mdlSignerOid] } }).findings).toEqual([])
  })

  test.each([
    ['no purpose', undefined],
    ['another purpose', { critical: true, oids: ['1.3.6.1.5.5.7.3.1'] }],
    ['a purpose that is not critical', { critical: false, oids: [mdlSignerOid] }],
  ])('is refused with %s', (_, purposes) => {
    expect(listFailures(licence(purposes ? { purposes } : {}))).toEqual(['issuer_certificate_purpose'])
  })

  test('is refused with another country than its authority', () => {
    const path = licence({ country: 'NL', purposes: { critical: true, oids: [mdlSignerOid] } })
    expect(listFailures(path)).toEqual(['issuer_country'])
  })

  test('gets only a warning if it is pinned', () => {
    const pinned = makeCertificate()
    const path = validate([pinned], { document_type: mdlDocType, anchors: [{ certificate: pinned.der }] })
    expect(path.findings).toMatchObject([{ check: 'issuer_certificate_purpose', status: 'warning' }])
    expect(path.anchor).toBeDefined()
  })
})

describe('[OID4VP-29] the signer of another document', () => {
  test.each(['1.3.130.2.0.0.1.2', mdlSignerOid])('may name the purpose %s', (purpose) => {
    expect(validate([leaf({ purposes: { critical: true, oids: [purpose] } })]).findings).toEqual([])
  })

  const emailProtection = '1.3.6.1.5.5.7.3.4'
  const tlsClient = '1.3.6.1.5.5.7.3.2'
  const unknownPurpose = '1.3.6.1.4.1.99999.2'

  test.each([
    ['email protection', [emailProtection]],
    ['document signing', ['1.3.6.1.5.5.7.3.36']],
    ['email protection and TLS client', [emailProtection, tlsClient]],
    ['an unknown purpose', [unknownPurpose]],
  ])('is trusted with a warning if a seal names %s', (_, oids) => {
    const path = validate([leaf({ purposes: { critical: false, oids } })])
    expect(path.findings).toMatchObject([{ check: 'issuer_certificate_purpose', status: 'warning' }])
    expect(path.anchor).toBeDefined()
  })

  test.each([
    ['TLS server', '1.3.6.1.5.5.7.3.1'],
    ['TLS client alone', tlsClient],
    ['code signing', '1.3.6.1.5.5.7.3.3'],
    ['time stamping', '1.3.6.1.5.5.7.3.8'],
    ['OCSP signing', '1.3.6.1.5.5.7.3.9'],
    ['mdoc reader', '1.0.18013.5.1.6'],
    ['status list signing', '1.3.6.1.5.5.7.3.30'],
  ])('is refused if it names %s', (_, oid) => {
    for (const oids of oid === tlsClient ? [[oid]] : [[oid], [emailProtection, oid]]) {
      const path = validate([leaf({ purposes: { critical: false, oids } })])
      expect(listFailures(path)).toEqual(['issuer_certificate_purpose'])
      expect(path.anchor).toBeUndefined()
    }
    const both = validate([leaf({ purposes: { critical: false, oids: [oid, mdlSignerOid] } })])
    expect(both.findings).toEqual([])
  })

  test.each([emailProtection, unknownPurpose, '2.5.29.37.0'])(
    'is refused if %s is critical and no purpose names documents',
    (oid) => {
      expect(listFailures(validate([leaf({ purposes: { critical: true, oids: [oid] } })]))).toEqual([
        'issuer_certificate_purpose',
      ])
    },
  )

  test('gets only a warning if it is pinned', () => {
    const pinned = makeCertificate({ purposes: { critical: true, oids: ['1.3.6.1.5.5.7.3.1'] } })
    const path = validate([pinned], { anchors: [{ certificate: pinned.der }] })
    expect(path.findings).toMatchObject([{ check: 'issuer_certificate_purpose', status: 'warning' }])
  })
})

describe('a certificate for another use signs in no role', () => {
  const roles = {
    documents: documentProfile(['urn:any']),
    licences: documentProfile([mdlDocType]),
    status: statusListProfile,
    revocation: revocationProfile,
    trust_lists: trustListProfile,
    vicals: vicalProfile,
    registrations: registrationProfile,
  }
  const uses = {
    tls_server: '1.3.6.1.5.5.7.3.1',
    tls_client: '1.3.6.1.5.5.7.3.2',
    code_signing: '1.3.6.1.5.5.7.3.3',
    time_stamping: '1.3.6.1.5.5.7.3.8',
    ocsp_signing: '1.3.6.1.5.5.7.3.9',
    mdoc_reader: '1.0.18013.5.1.6',
    mdl_signer: mdlSignerOid,
    pid_signer: '1.3.130.2.0.0.1.2',
    status_signer: '1.3.6.1.5.5.7.3.30',
    vical_signer: '1.0.18013.5.1.8',
    trust_list_signer: '0.4.0.2231.3.0',
  }
  /** The uses of which a certificate may sign in the role, whether or not the extension is critical. */
  test.each<[keyof typeof roles, (keyof typeof uses)[]]>([
    ['documents', ['mdl_signer', 'pid_signer']],
    ['licences', ['mdl_signer']],
    ['status', ['mdl_signer', 'pid_signer', 'status_signer']],
    ['revocation', ['status_signer']],
    ['trust_lists', ['trust_list_signer']],
    ['vicals', ['vical_signer']],
    ['registrations', []],
  ])('%s: only %s', (role, expected) => {
    for (const critical of [true, false]) {
      const accepted = Object.entries(uses).filter(([, oid]) => {
        const signer = leaf({ purposes: { critical, oids: [oid] } })
        return validate([signer], { profile: roles[role] }).anchor !== undefined
      })
      // The one of driving licences must be critical.
      const named = role === 'licences' && !critical ? [] : expected
      expect(accepted.map(([name]) => name)).toEqual(named)
    }
  })
})
