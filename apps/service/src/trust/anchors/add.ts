import type { RecordOperation } from '../../audit/index.ts'
import type { Database } from '../../engine/db/index.ts'
import type { Log } from '../../engine/observability/index.ts'
import { describeCertificate, type CertificateSummary } from './describe.ts'
import { readNewAnchors, type PemAnchors } from './read-pem.ts'
import { putAnchors, bumpTrustVersion } from './store.ts'

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
