import type { Anchor } from '../presentation.ts'
import { readCertificate, type Certificate } from './read-certificate.ts'

export type TrustedCertificate = { certificate: Certificate; document_types?: readonly string[] }

export type AnchorIndex = {
  by_fingerprint: Map<string, TrustedCertificate[]>
  by_subject: Map<string, TrustedCertificate[]>
}

// An environment hands in the same list for every answer; what is read from it is dropped together with it.
const indexes = new WeakMap<readonly Anchor[], AnchorIndex>()

/** The anchors by name and by fingerprint. One that cannot be read vouches for nobody. */
export function indexAnchors(anchors: readonly Anchor[]): AnchorIndex {
  const known = indexes.get(anchors)
  if (known !== undefined) return known

  const index: AnchorIndex = { by_fingerprint: new Map(), by_subject: new Map() }
  for (const { certificate: der, ...types } of anchors) {
    const read = readCertificate(der)
    if ('fault' in read) continue
    const trusted = { certificate: read.value, ...types }
    file(index.by_fingerprint, read.value.fingerprint, trusted)
    file(index.by_subject, read.value.subject.der, trusted)
  }
  indexes.set(anchors, index)
  return index
}

export function vouchesFor({ document_types }: TrustedCertificate, asked: readonly string[]): boolean {
  return document_types === undefined || asked.some((type) => document_types.includes(type))
}

function file(drawers: Map<string, TrustedCertificate[]>, label: string, trusted: TrustedCertificate): void {
  const drawer = drawers.get(label)
  if (drawer === undefined) drawers.set(label, [trusted])
  else drawer.push(trusted)
}
