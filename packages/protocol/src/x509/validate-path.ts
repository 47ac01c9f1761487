import { boundedMap, type BoundedMap } from '../bounded-map.ts'
import { failure, hasFailure } from '../findings.ts'
import { catchInputError, InputError } from '../input-error.ts'
import type { Anchor, AnchorRole, Finding } from '../presentation.ts'
import { checkAuthorities, checkSigner, checkValidity } from './check-certificates.ts'
import {
  coversDocumentTypes,
  hasRole,
  indexAnchors,
  type AnchorIndex,
  type TrustedCertificate,
} from './index-anchors.ts'
import { isIssuedBy } from './is-issued-by.ts'
import type { SignerProfile } from './profiles.ts'
import { cacheCertificate, readCertificate, type Certificate } from './read-certificate.ts'

export type PathRequest = {
  /** DER, the signer's first, as included in the credential. They prove nothing by themselves. */
  chain: readonly Uint8Array[]
  anchors: readonly Anchor[]
  /** Doctypes or vcts: the anchor must be trusted for one of them. */
  document_types: readonly string[]
  /** The anchor must have one of these roles; absent means issuing. */
  roles?: readonly AnchorRole[]
  /** A further condition for the anchor; absent means none. */
  accepts?: (anchor: TrustedCertificate) => boolean
  profile: SignerProfile
  /** Seconds since 1970. */
  now: number
}

export type PathResult = {
  /** The signer, if its certificate can be read. */
  signer?: Certificate
  /** Only if the whole path is valid. */
  anchor?: Certificate
  /** The role and the entity under which that anchor is trusted. */
  anchor_role?: AnchorRole
  anchor_entity?: string
  /** From the signer to the anchor; only if it is valid. */
  path?: readonly Certificate[]
  /** From the validated path only, because any holder can include more certificates. */
  authority_key_ids: string[]
  /** The trust lists that name a certificate of the path in this role, and those that point to them; only if it is valid. */
  trust_lists?: readonly string[]
  findings: Finding[]
}

const maxCertificates = 5

/**
 * Certification path validation (RFC 5280 §6.1), without policies and name constraints; revocation lists are checked later (`checkPathRevocation`).
 * Signatures are verified from the anchor down, so a key is used only after its certificate was verified, and untrusted keys cost nothing.
 */
export function validatePath(request: PathRequest): PathResult {
  const { anchors, accepts, now } = request
  const read = catchInputError(() => readChain(request.chain))
  if ('error' in read) {
    return { authority_key_ids: [], findings: [failure('issuer_certificate', read.error)] }
  }
  const name = nameRequest(request, read.value)
  const known = validPaths.get(anchors)?.get(name)
  if (
    known !== undefined &&
    checkValidity(known.path, now).length === 0 &&
    accepts?.(known.trusted) !== false
  )
    return { ...known.result, findings: [...known.result.findings] }
  const { trusted, result } = findPath(request, read.value)
  if (trusted !== undefined && result.path !== undefined) {
    let paths = validPaths.get(anchors)
    if (paths === undefined) validPaths.set(anchors, (paths = boundedMap(maxKeptPaths)))
    paths.set(name, {
      trusted,
      result: { ...result, findings: [...result.findings] },
      path: [...result.path],
    })
  }
  return result
}

type ValidPath = { trusted: TrustedCertificate; result: PathResult; path: Certificate[] }

const maxKeptPaths = 500

// The same certificates under the same anchors stay valid until one of them expires: only the clock can change the outcome. An
// environment passes the same list of anchors until they change; its paths are garbage-collected with it. Failures are not kept.
const validPaths = new WeakMap<readonly Anchor[], BoundedMap<string, ValidPath>>()

/** What an outcome depends on, besides anchors, clock and `accepts`. */
function nameRequest({ document_types, roles, profile }: PathRequest, certificates: CertificateList): string {
  return JSON.stringify([profile, roles, document_types, certificates.map(({ fingerprint }) => fingerprint)])
}

function findPath(
  { anchors, document_types, roles = ['issuing'], accepts, profile, now }: PathRequest,
  certificates: CertificateList,
): { trusted?: TrustedCertificate; result: PathResult } {
  const [signer] = certificates

  // An authority may be trusted under several certificates with the same name and key. One valid path is enough.
  let fewestFailures: Finding[] | undefined
  let hasOtherType = false
  let hasOtherRole = false
  const index = indexAnchors(anchors)
  for (const { path, anchor } of findCandidatePaths(certificates, index)) {
    if (!hasRole(anchor, roles) || accepts?.(anchor) === false) {
      hasOtherRole = true
      continue
    }
    if (!coversDocumentTypes(anchor, document_types)) {
      hasOtherType = true
      continue
    }
    const findings = checkPath({ path, anchor: anchor.certificate, profile, now })
    if (!hasFailure(findings)) {
      path.forEach(cacheCertificate)
      const authority_key_ids = collectAuthorityKeyIds(path)
      // The same certificate may be an anchor of several sources.
      const named = path.flatMap(({ fingerprint }) => index.by_fingerprint.get(fingerprint) ?? [])
      const trust_lists = named
        .filter((each) => hasRole(each, roles) && coversDocumentTypes(each, document_types))
        .flatMap(({ lists = [] }) => lists)
      const result = { signer, ...describeAnchor(anchor), path, authority_key_ids, trust_lists, findings }
      return { trusted: anchor, result }
    }
    if (fewestFailures === undefined || countFailures(findings) < countFailures(fewestFailures))
      fewestFailures = findings
  }
  const findings = fewestFailures ?? [
    describeUntrusted(certificates, document_types, { hasOtherType, hasOtherRole }),
  ]
  return { result: { signer, authority_key_ids: [], findings } }
}

function readChain(chain: readonly Uint8Array[]): CertificateList {
  if (chain.length > maxCertificates)
    throw new InputError(`more than ${maxCertificates} certificates are included`)
  const [signer, ...rest] = chain.map((der) => {
    const read = readCertificate(der)
    if ('error' in read) throw new InputError(read.error)
    return read.value
  })
  if (signer === undefined) throw new InputError('no certificate is included')
  return [signer, ...rest]
}

type CertificateList = [Certificate, ...Certificate[]]

type CandidatePath = {
  /** From the signer to the anchor. */
  path: CertificateList
  anchor: TrustedCertificate
}

/** Walks up from the signer. Every certificate that is an anchor, or was issued by one, ends a candidate path. */
function* findCandidatePaths(certificates: CertificateList, index: AnchorIndex): Generator<CandidatePath> {
  const [signer, ...above] = certificates
  for (const [position, certificate] of certificates.entries()) {
    const path: CertificateList = [signer, ...above.slice(0, position)]
    for (const anchor of index.by_fingerprint.get(certificate.fingerprint) ?? []) yield { path, anchor }
    for (const anchor of index.by_subject.get(certificate.issuer.der) ?? []) {
      const isSame = anchor.certificate.fingerprint === certificate.fingerprint
      if (isSame || !isIssuedBy(certificate, anchor.certificate)) continue
      yield { path: [...path, anchor.certificate], anchor }
    }
  }
}

type PathCheck = { path: CertificateList; anchor: Certificate; profile: SignerProfile; now: number }

function checkPath({ path, anchor, profile, now }: PathCheck): Finding[] {
  const broken = checkLinks(path)
  if (broken !== undefined) return [broken]
  const [signer] = path
  return [
    ...checkValidity(path, now),
    ...checkAuthorities(path),
    ...checkSigner({ signer, anchor, profile, pinned: path.length === 1 }),
  ]
}

function describeAnchor({
  certificate,
  role = 'issuing',
  entity,
}: TrustedCertificate): Pick<PathResult, 'anchor' | 'anchor_role' | 'anchor_entity'> {
  return { anchor: certificate, anchor_role: role, ...(entity !== undefined && { anchor_entity: entity }) }
}

function countFailures(findings: Finding[]): number {
  return findings.filter(({ status }) => status === 'fail').length
}

function collectAuthorityKeyIds(path: Certificate[]): string[] {
  return path.flatMap(({ extensions }) => extensions.authority_key_id ?? [])
}

function describeUntrusted(
  certificates: CertificateList,
  documentTypes: readonly string[],
  { hasOtherType, hasOtherRole }: { hasOtherType: boolean; hasOtherRole: boolean },
): Finding {
  if (hasOtherType) {
    const types = documentTypes.join(' or ')
    return failure('issuer_document_type', `its authority is not trusted for ${types}`)
  }
  if (hasOtherRole) return failure('issuer_trust', 'its authority is trusted for something else only')
  const last = certificates.at(-1)
  if (last === undefined || last.issuer.der === last.subject.der)
    return failure(
      'issuer_trust',
      'the chain ends in a self-signed certificate that is not a trusted authority',
    )
  const name = last.issuer.common_name ?? 'an unnamed authority'
  return failure('issuer_trust', `"${name}" is not among the trusted authorities`)
}

/** Checks names first, then signatures from the anchor down. */
function checkLinks(path: Certificate[]): Finding | undefined {
  const links = path.slice(1).map((issuer, index) => ({ issuer, certificate: path[index] }))
  for (const { issuer, certificate } of links) {
    if (certificate?.issuer.der !== issuer.subject.der) {
      return failure('issuer_certificate', "a certificate is not followed by its issuer's certificate")
    }
  }
  for (const { issuer, certificate } of links.toReversed()) {
    if (certificate === undefined || !isIssuedBy(certificate, issuer)) {
      return failure('issuer_trust', 'a certificate was not signed by the authority it names')
    }
  }
  return undefined
}
