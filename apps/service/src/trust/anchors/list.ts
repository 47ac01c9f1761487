import type { Environment } from '@vidimus/contract'
import type { Database } from '../../platform/db/open.ts'
import type { Sandbox } from '../sandbox/open.ts'
import { describeCertificate, type CertificateSummary } from './describe.ts'
import { readAnchors } from './store.ts'

export type AnchorSummary = CertificateSummary & {
  environment: Environment
  /** `operator`, `sandbox`, or the address of a list. */
  source: string
  /** Null: every document. */
  document_types: readonly string[] | null
  /** Its list is out of date, so that it vouches for nobody until the list is fresh again. */
  lapsed: boolean
}

/** Every anchor, with where it came from. */
export async function listAnchors({
  db,
  sandbox,
}: {
  db: Database
  sandbox: Sandbox
}): Promise<AnchorSummary[]> {
  const stored = (await readAnchors(db)).map(
    ({ environment, certificate, document_types, list, lapsed }) => ({
      environment,
      source: list ?? 'operator',
      ...describeCertificate(certificate),
      document_types,
      lapsed,
    }),
  )
  const fromSandbox = (await sandbox.anchors()).map(({ certificate, document_types }) => ({
    environment: 'test' as const,
    source: 'sandbox',
    ...describeCertificate(certificate),
    document_types,
    lapsed: false,
  }))
  return [...stored, ...fromSandbox]
}
