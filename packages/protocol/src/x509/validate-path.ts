import { Fault, attempt } from '../fault.ts'
import { failure, hasFailure } from '../findings.ts'
import type { Anchor, Finding } from '../presentation.ts'
import { certifiedBy } from './certified-by.ts'
import { checkAuthorities, checkSigner, checkValidity } from './check-certificates.ts'
import { indexAnchors, vouchesFor, type AnchorIndex, type TrustedCertificate } from './index-anchors.ts'
import type { SignerProfile } from './profiles.ts'
import { readCertificate, rememberCertificate, type Certificate } from './read-certificate.ts'

export type PathRequest = {
  /** DER, the signer's first, as the credential encloses them. They prove nothing by themselves. */
  chain: readonly Uint8Array[]
  anchors: readonly Anchor[]
  /** The doctype or vct that the anchor has to vouch for. */
  document_type: string
  profile: SignerProfile
  /** Seconds since 1970. */
  now: number
}

export type Path = {
  /** The signer, as soon as its certificate can be read. */
  signer?: Certificate
  /** Only when the whole path holds. */
  anchor?: Certificate
  authority_key_ids: string[]
  findings: Finding[]
}

const MAX_CERTIFICATES = 5

/**
 * Certification path validation (RFC 5280 §6.1), without policies, name constraints and revocation lists. A key is used
 * only once its certificate has been certified: from the anchor down, so that a stranger's keys cost nothing.
 */
export function validatePath({ chain, anchors, document_type, profile, now }: PathRequest): Path {
  const read = attempt(() => readChain(chain))
  if ('fault' in read) {
    return { authority_key_ids: [], findings: [failure('issuer_certificate', read.fault)] }
  }
  const certificates = read.value
  const [signer] = certificates
  const known = { signer, authority_key_ids: authorityKeyIds(certificates) }

  const end = findAnchor(certificates, indexAnchors(anchors), document_type)
  if ('finding' in end) return { ...known, findings: [end.finding] }

  const { path, anchor } = end
  const broken = checkLinks(path)
  if (broken !== undefined) return { ...known, findings: [broken] }

  const findings = [
    ...checkValidity(path, now),
    ...checkAuthorities(path),
    ...checkSigner({ signer, anchor, profile, pinned: path.length === 1 }),
  ]
  if (hasFailure(findings)) return { ...known, findings }
  path.forEach(rememberCertificate)
  return { ...known, anchor, findings }
}

function readChain(chain: readonly Uint8Array[]): [Certificate, ...Certificate[]] {
  if (chain.length > MAX_CERTIFICATES)
    throw new Fault(`more than ${MAX_CERTIFICATES} certificates are enclosed`)
  const [signer, ...rest] = chain.map((der) => {
    const read = readCertificate(der)
    if ('fault' in read) throw new Fault(read.fault)
    return read.value
  })
  if (signer === undefined) throw new Fault('no certificate is enclosed')
  return [signer, ...rest]
}

function authorityKeyIds(certificates: Certificate[]): string[] {
  return certificates.flatMap(({ extensions }) => extensions.authority_key_id ?? [])
}

type Found = { path: Certificate[]; anchor: Certificate } | { finding: Finding }

/** Goes up from the signer to the first certificate that is an anchor or was issued by one. */
function findAnchor(certificates: Certificate[], index: AnchorIndex, documentType: string): Found {
  let otherType = false
  for (const [position, certificate] of certificates.entries()) {
    const anchors = [
      ...(index.by_fingerprint.get(certificate.fingerprint) ?? []),
      ...(index.by_subject.get(certificate.issuer.der) ?? []).filter((trusted) =>
        issued(trusted, certificate),
      ),
    ]
    const anchor = anchors.find((trusted) => vouchesFor(trusted, documentType))?.certificate
    if (anchor !== undefined) {
      const path = certificates.slice(0, position + 1)
      return { path: anchor.fingerprint === certificate.fingerprint ? path : [...path, anchor], anchor }
    }
    otherType ||= anchors.length > 0
  }
  if (otherType) {
    return { finding: failure('issuer_document_type', `its authority does not vouch for ${documentType}`) }
  }
  return { finding: failure('issuer_trust', describeStranger(certificates)) }
}

function issued(trusted: TrustedCertificate, certificate: Certificate): boolean {
  return certifiedBy(certificate, trusted.certificate)
}

function describeStranger(certificates: Certificate[]): string {
  const last = certificates.at(-1)
  if (last === undefined || last.issuer.der === last.subject.der)
    return 'the certificate vouches only for itself'
  return `"${last.issuer.common_name ?? 'an authority without a name'}" is not among the trusted authorities`
}

/** Names first, then signatures from the anchor down. */
function checkLinks(path: Certificate[]): Finding | undefined {
  const links = path.slice(1).map((issuer, index) => ({ issuer, certificate: path[index] }))
  for (const { issuer, certificate } of links) {
    if (certificate?.issuer.der !== issuer.subject.der) {
      return failure('issuer_certificate', 'a certificate is not followed by that of its issuer')
    }
  }
  for (const { issuer, certificate } of links.toReversed()) {
    if (certificate === undefined || !certifiedBy(certificate, issuer)) {
      return failure('issuer_trust', 'a certificate does not carry the signature of the authority it names')
    }
  }
  return undefined
}
