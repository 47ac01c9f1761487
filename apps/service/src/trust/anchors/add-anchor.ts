import type { Environment } from '@vidimus/contract'
import { type AnchorRole, readPemAnchors } from '@vidimus/protocol'
import type { RecordOperation } from '../../audit/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import type { Database } from '../../engine/db/index.ts'
import type { Log } from '../../engine/observability/index.ts'
import { isSandboxCertificate } from '../sandbox/open-sandbox.ts'
import { type CertificateSummary, computeFingerprint, describeCertificate } from './list-anchors.ts'
import { type NewAnchor, bumpTrustVersion, putAnchors } from './store.ts'

/** Adds the certificates of a PEM file as trust anchors. An existing one of the same role gets the new document types and entity. */
export async function addAnchors(
  { db, log }: { db: Database; log: Log },
  { record, ...input }: PemAnchors & { record?: RecordOperation },
): Promise<CertificateSummary[]> {
  const { environment, document_types, role, entity } = input
  const anchors = readNewAnchors(input)
  const added = anchors.map(({ certificate }) => describeCertificate(certificate))
  await db.transaction(async (tx) => {
    if ((await putAnchors(tx, { environment, list_id: null, anchors })) === 0) return
    await bumpTrustVersion(tx)
    await record?.(tx, {
      environment,
      added: added.map(({ fingerprint }) => fingerprint),
      ...(document_types !== undefined && { document_types }),
      ...(role !== undefined && { role }),
      ...(entity !== undefined && { entity }),
    })
  })
  for (const { fingerprint, subject } of added) {
    log.info({ environment, fingerprint, subject, document_types }, 'trust anchor added')
  }
  return added
}

export type PemAnchors = {
  environment: Environment
  /** One or more certificates (RFC 7468). If one is invalid, none is accepted. */
  pem: string
  /** The doctypes and vcts for which they are trusted; all of them if absent. */
  document_types?: readonly string[] | undefined
  /** Issuing if absent. */
  role?: AnchorRole | undefined
  /** Who operates them: anchors of one entity vouch for each other. Absent: each only for itself. */
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
