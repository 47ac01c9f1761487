import type { Environment } from '@vidimus/contract'
import { readPemAnchors, type AnchorRole } from '@vidimus/protocol'
import { Refusal } from '../../engine/basics/index.ts'
import { isSandboxCertificate } from '../sandbox/is-sandbox.ts'
import { computeFingerprint } from './describe.ts'
import type { NewAnchor } from './store.ts'

export type PemAnchors = {
  environment: Environment
  /** One or more certificates (RFC 7468). If one is invalid, none is accepted. */
  pem: string
  /** The doctypes and vcts for which they are trusted; all of them if absent. */
  document_types?: readonly string[] | undefined
  /** Issuing if absent. */
  role?: AnchorRole | undefined
  /** Who operates them: anchors of one entity vouch for each other. Absent: each stands alone. */
  entity?: string | undefined
}

/** The anchors of a PEM file, without duplicates. */
export function readNewAnchors(input: PemAnchors): NewAnchor[] {
  const { environment, pem, document_types = null, role = 'issuing', entity = null } = input
  const read = readPemAnchors(pem)
  if ('error' in read) throw new Refusal('invalid_request', `Nothing was added: ${read.error}.`)
  const certificates = read.value.map(({ certificate }) => certificate)
  if (environment === 'live' && certificates.some(isSandboxCertificate)) {
    throw new Refusal(
      'invalid_request',
      'Nothing was added: the live environment never trusts a sandbox certificate.',
    )
  }
  const anchors = certificates.map((certificate) => ({
    fingerprint: computeFingerprint(certificate),
    certificate,
    document_types,
    role,
    entity,
  }))
  // A file may contain a certificate twice, but `on conflict do update` may touch a row only once.
  return [...new Map(anchors.map((anchor) => [anchor.fingerprint.toString('hex'), anchor])).values()]
}

/** Parses a fingerprint as a person writes it: hexadecimal, with or without colons. */
export function readFingerprint(given: string): { hexadecimal: string; fingerprint: Buffer } {
  const hexadecimal = given.replaceAll(':', '').toLowerCase()
  return { hexadecimal, fingerprint: Buffer.from(hexadecimal, 'hex') }
}
