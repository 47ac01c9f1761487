import { hasFailure } from '../findings.ts'
import type { Anchor, AnchorRole } from '../presentation.ts'
import { coversDocumentTypes, hasRole, indexAnchors } from '../x509/index-anchors.ts'
import { isStatusSigner, revocationProfile, statusListProfile } from '../x509/profiles.ts'
import type { Certificate } from '../x509/read-certificate.ts'
import { validatePath, type PathRequest } from '../x509/validate-path.ts'

/** What a status list is consulted about: a credential, or the registration certificate of a relying party. */
export type StatusSubject = {
  /** SHA-256 fingerprint of the anchor of its path; undefined if no path is valid. */
  anchor: string | undefined
  /** The certificate of its signer. */
  signer: Certificate | undefined
  document_types: readonly string[]
  /** The role in which its anchor is trusted. */
  role: Extract<AnchorRole, 'issuing' | 'registration'>
}

type SignerContext = { anchors: readonly Anchor[]; now: number }

/** Why the signer of a status list may not sign for this subject; undefined if it may. */
export function findSignerRejection(
  chain: readonly Uint8Array[],
  subject: StatusSubject,
  context: SignerContext,
): string | undefined {
  const validated = validateListSigner(chain, subject, context)
  return 'rejection' in validated ? validated.rejection : undefined
}

/** `path` is that of the signer, up to its anchor. */
type ValidatedListSigner = { path: readonly Certificate[] } | { rejection: string }

/**
 * The validated path of the signer of a status list, or why it may not sign for this subject. It is under the subject's own anchor, or
 * under an anchor in the revocation role of the same entity. An anchor without an entity vouches for itself only.
 */
export function validateListSigner(
  chain: readonly Uint8Array[],
  subject: StatusSubject,
  context: SignerContext,
): ValidatedListSigner {
  const { document_types, role } = subject
  const ownSigner = findSigner({
    chain,
    ...context,
    document_types,
    roles: [role],
    accepts: ({ certificate }) => certificate.fingerprint === subject.anchor,
    profile: statusListProfile,
  })
  if (ownSigner !== undefined && signsStatusLists(ownSigner.signer, subject)) return { path: ownSigner.path }
  const path = findRevocationPath(chain, subject, context)
  if (path !== undefined) return { path }
  return {
    rejection:
      ownSigner === undefined
        ? 'the status list was not signed under an authority of its issuer'
        : 'the signer of the status list is neither the signer of the credential nor certified to sign status lists',
  }
}

/** Under an anchor that also issues, every leaf may be a signer of documents, so the rule of the own anchor applies there too. */
function findRevocationPath(
  chain: readonly Uint8Array[],
  subject: StatusSubject,
  context: SignerContext,
): readonly Certificate[] | undefined {
  const entities = findEntities(subject, context.anchors)
  if (entities.size === 0) return undefined
  const found = findSigner({
    chain,
    ...context,
    document_types: subject.document_types,
    roles: ['revocation'],
    accepts: ({ entity }) => entity !== undefined && entities.has(entity),
    profile: revocationProfile,
  })
  if (found === undefined) return undefined
  const { signer, anchor, path } = found
  const isPinned = signer.fingerprint === anchor.fingerprint
  const maySign = isPinned || !alsoIssues(anchor, context.anchors) || signsStatusLists(signer, subject)
  return maySign ? path : undefined
}

type ListSigner = { signer: Certificate; anchor: Certificate; path: readonly Certificate[] }

function findSigner(request: PathRequest): ListSigner | undefined {
  const { signer, anchor, path, findings } = validatePath(request)
  if (signer === undefined || anchor === undefined || path === undefined) return undefined
  return hasFailure(findings) ? undefined : { signer, anchor, path }
}

function signsStatusLists(signer: Certificate, subject: StatusSubject): boolean {
  return isStatusSigner(signer) || isSameEntity(signer, subject.signer)
}

/** An authority assigns a name to one entity only, so a renewed certificate of the signer has the same names (RFC 5280 §4.1.2.6). */
function isSameEntity(signer: Certificate, other: Certificate | undefined): boolean {
  return signer.subject.der === other?.subject.der && signer.issuer.der === other.issuer.der
}

/** Several sources may name the subject's anchor. Each says who operates it. */
function findEntities(
  { anchor = '', role, document_types }: StatusSubject,
  anchors: readonly Anchor[],
): Set<string> {
  const named = indexAnchors(anchors).by_fingerprint.get(anchor) ?? []
  return new Set(
    named
      .filter((each) => hasRole(each, [role]) && coversDocumentTypes(each, document_types))
      .flatMap(({ entity }) => entity ?? []),
  )
}

function alsoIssues({ fingerprint }: Certificate, anchors: readonly Anchor[]): boolean {
  const named = indexAnchors(anchors).by_fingerprint.get(fingerprint) ?? []
  return named.some((each) => hasRole(each, ['issuing', 'registration']))
}
