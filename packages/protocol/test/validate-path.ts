import type { Anchor, AnchorRole } from '../src/presentation.ts'
import { documentProfile, type SignerProfile } from '../src/x509/profiles.ts'
import { validatePath, type PathResult } from '../src/x509/validate-path.ts'
import { fixedNow, makeCertificate, type CertificateOptions, type IssuedCertificate } from './certificates.ts'

/** The only anchor of these tests, unless they name others. */
export const root = makeCertificate({ authority: true, common_name: 'Root' })

type PathOptions = {
  anchors?: Anchor[]
  document_type?: string
  now?: number
  roles?: AnchorRole[]
  profile?: SignerProfile
}

export function validate(
  chain: (IssuedCertificate | Buffer)[],
  {
    anchors,
    document_type = 'urn:any',
    now = fixedNow,
    roles,
    profile = documentProfile([document_type]),
  }: PathOptions = {},
): PathResult {
  return validatePath({
    chain: chain.map((certificate) => ('der' in certificate ? certificate.der : certificate)),
    anchors: anchors ?? [{ certificate: root.der }],
    document_types: [document_type],
    ...(roles && { roles }),
    profile,
    now,
  })
}

export const leaf = (options: CertificateOptions = {}): IssuedCertificate =>
  makeCertificate({ issuer: root, ...options })
export const intermediate = (options: CertificateOptions = {}): IssuedCertificate =>
  makeCertificate({ issuer: root, authority: true, common_name: 'Between', ...options })
