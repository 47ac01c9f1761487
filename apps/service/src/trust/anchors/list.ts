import type { Environment } from '@vidimus/contract'
import type { AnchorRole } from '@vidimus/protocol'
import type { Database } from '../../platform/db/open.ts'
import type { Sandbox } from '../sandbox/open.ts'
import { describeCertificate, type CertificateSummary } from './describe.ts'
import { readAnchors } from './store.ts'

export type AnchorSummary = CertificateSummary & {
  environment: Environment
  /** `operator`, `sandbox`, or the URL of a list. */
  source: string
  /** Null: all document types. */
  document_types: readonly string[] | null
  role: AnchorRole
  /** Who operates it; null: it stands alone. */
  entity: string | null
  /** Its list has expired, so the anchor is not trusted until the list is refreshed. */
  lapsed: boolean
}

/** Every anchor, with its source. */
export async function listAnchors({
  db,
  sandbox,
}: {
  db: Database
  sandbox: Sandbox
}): Promise<AnchorSummary[]> {
  const stored = (await readAnchors(db)).map(
    ({ environment, certificate, document_types, role, entity, list, lapsed }) => ({
      environment,
      source: list ?? 'operator',
      ...describeCertificate(certificate),
      document_types,
      role,
      entity,
      lapsed,
    }),
  )
  const fromSandbox = (await sandbox.anchors()).map(({ certificate, document_types }) => ({
    environment: 'test' as const,
    source: 'sandbox',
    ...describeCertificate(certificate),
    document_types,
    role: 'issuing' as const,
    entity: null,
    lapsed: false,
  }))
  return [...stored, ...fromSandbox]
}
