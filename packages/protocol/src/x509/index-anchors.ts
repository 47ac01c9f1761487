import { hash } from 'node:crypto'
import { boundedMap } from '../bounded-map.ts'
import type { Anchor, AnchorRole } from '../presentation.ts'
import { readCertificate, readSubject, type Certificate } from './read-certificate.ts'

export type TrustedCertificate = Omit<Anchor, 'certificate'> & { certificate: Certificate }

/** The anchors with a fingerprint, or with a subject in DER. */
export type AnchorIndex = { by_fingerprint: AnchorLookup; by_subject: AnchorLookup }
type AnchorLookup = { get: (key: string) => TrustedCertificate[] | undefined }

// An environment passes the same list for every response. Its index is garbage-collected with it.
const indexes = new WeakMap<readonly Anchor[], AnchorIndex>()

/**
 * Indexes the anchors by name and by fingerprint. A certificate is read when it is first looked up: reading thousands would hold up
 * the response that comes after a change of the anchors. Skips those that cannot be read.
 */
export function indexAnchors(anchors: readonly Anchor[]): AnchorIndex {
  const known = indexes.get(anchors)
  if (known !== undefined) return known

  const byFingerprint = new Map<string, Anchor[]>()
  const bySubject = new Map<string, Anchor[]>()
  for (const anchor of anchors) {
    const keys = findKeys(anchor.certificate)
    if (keys === undefined) continue
    addToIndex(byFingerprint, keys.fingerprint, anchor)
    addToIndex(bySubject, keys.subject, anchor)
  }
  const index = { by_fingerprint: lookUpIn(byFingerprint), by_subject: lookUpIn(bySubject) }
  indexes.set(anchors, index)
  return index
}

type IndexKeys = { fingerprint: string; subject: string }

// A change of a list concerns few of its anchors. The key is the certificate itself, so entries never go stale.
const knownKeys = boundedMap<string, IndexKeys>(10_000)

function findKeys(certificate: Uint8Array): IndexKeys | undefined {
  const { buffer, byteOffset, length } = certificate
  const name = Buffer.from(buffer, byteOffset, length).toString('latin1')
  const known = knownKeys.get(name)
  if (known !== undefined) return known
  const subject = readSubject(certificate)
  if (subject === undefined) return undefined
  const keys = { fingerprint: hash('sha256', certificate, 'hex'), subject }
  knownKeys.set(name, keys)
  return keys
}

function lookUpIn(anchors: ReadonlyMap<string, Anchor[]>): AnchorLookup {
  const read = new Map<string, TrustedCertificate[]>()
  return {
    get(key) {
      const known = read.get(key)
      if (known !== undefined) return known
      const trusted = anchors.get(key)?.flatMap(readAnchor)
      if (trusted !== undefined) read.set(key, trusted)
      return trusted
    },
  }
}

function readAnchor({ certificate: der, ...scope }: Anchor): TrustedCertificate[] {
  const read = readCertificate(der)
  return 'error' in read ? [] : [{ certificate: read.value, ...scope }]
}

export function coversDocumentTypes(
  { document_types }: TrustedCertificate,
  requested: readonly string[],
): boolean {
  return document_types === undefined || requested.some((type) => document_types.includes(type))
}

/** An anchor without a role issues credentials. */
export function hasRole({ role = 'issuing' }: Pick<Anchor, 'role'>, roles: readonly AnchorRole[]): boolean {
  return roles.includes(role)
}

function addToIndex(index: Map<string, Anchor[]>, key: string, anchor: Anchor): void {
  const entries = index.get(key)
  if (entries === undefined) index.set(key, [anchor])
  else entries.push(anchor)
}
