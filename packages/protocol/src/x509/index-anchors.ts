import type { Anchor, AnchorRole } from '../presentation.ts'
import { readCertificate, type Certificate } from './read-certificate.ts'

export type TrustedCertificate = Omit<Anchor, 'certificate'> & { certificate: Certificate }

export type AnchorIndex = {
  by_fingerprint: Map<string, TrustedCertificate[]>
  by_subject: Map<string, TrustedCertificate[]>
}

// An environment passes the same list for every response. Its index is garbage-collected with it.
const indexes = new WeakMap<readonly Anchor[], AnchorIndex>()

/** Indexes the anchors by name and by fingerprint. Skips those that cannot be read. */
export function indexAnchors(anchors: readonly Anchor[]): AnchorIndex {
  const known = indexes.get(anchors)
  if (known !== undefined) return known

  const index: AnchorIndex = { by_fingerprint: new Map(), by_subject: new Map() }
  for (const { certificate: der, ...scope } of anchors) {
    const read = readCertificate(der)
    if ('error' in read) continue
    const trusted = { certificate: read.value, ...scope }
    addToIndex(index.by_fingerprint, read.value.fingerprint, trusted)
    addToIndex(index.by_subject, read.value.subject.der, trusted)
  }
  indexes.set(anchors, index)
  return index
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

function addToIndex(
  index: Map<string, TrustedCertificate[]>,
  key: string,
  trusted: TrustedCertificate,
): void {
  const entries = index.get(key)
  if (entries === undefined) index.set(key, [trusted])
  else entries.push(trusted)
}
