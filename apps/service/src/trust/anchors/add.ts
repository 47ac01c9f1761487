import type { Environment } from '@vidimus/contract'
import { readPemAnchors } from '@vidimus/protocol'
import type { Database } from '../../platform/db/open.ts'
import type { Log } from '../../platform/log.ts'
import { Refusal } from '../../platform/refusal.ts'
import { isOfSandbox } from '../sandbox/recognize.ts'
import { describeCertificate, fingerprintOf, type DescribedCertificate } from './describe.ts'
import { putAnchors, turnVersion } from './store.ts'

export type AddAnchors = {
  environment: Environment
  /** One or more certificates (RFC 7468). One that cannot be read refuses all. */
  pem: string
  /** The doctypes and vcts they vouch for; all of them when absent. */
  document_types?: readonly string[] | undefined
}

/** Trusts the certificates of a PEM file. One that was added before gets the document types given now. */
export async function addAnchors(
  { db, log }: { db: Database; log: Log },
  { environment, pem, document_types }: AddAnchors,
): Promise<DescribedCertificate[]> {
  const read = readPemAnchors(pem)
  if ('fault' in read) throw new Refusal('invalid_request', `Nothing was added: ${read.fault}.`)
  const certificates = read.value.map(({ certificate }) => certificate)
  if (environment === 'live' && certificates.some(isOfSandbox)) {
    throw new Refusal(
      'invalid_request',
      'Nothing was added: a sandbox is never trusted in the live environment.',
    )
  }
  const anchors = certificates.map((certificate) => ({
    fingerprint: fingerprintOf(certificate),
    certificate,
    document_types: document_types ?? null,
  }))
  await db.transaction(async (tx) => {
    if ((await putAnchors(tx, { environment, list_id: null, anchors: distinct(anchors) })) > 0)
      await turnVersion(tx)
  })
  const added = certificates.map(describeCertificate)
  for (const { fingerprint, subject } of added) {
    log.info({ environment, fingerprint, subject, document_types }, 'an anchor was added')
  }
  return added
}

/** A file may hold a certificate twice; a statement may touch a row once. */
function distinct<Anchor extends { fingerprint: Buffer }>(anchors: Anchor[]): Anchor[] {
  return [...new Map(anchors.map((anchor) => [anchor.fingerprint.toString('hex'), anchor])).values()]
}
