import { X509Certificate, createHash } from 'node:crypto'
import type { Environment } from '@vidimus/contract'
import type { AnchorRole } from '@vidimus/protocol'
import type { Database } from '../../engine/db/index.ts'
import type { Sandbox } from '../sandbox/open-sandbox.ts'
import { type StoredAnchor, readAnchorPage, readAnchors } from './store.ts'

export type AnchorSummary = CertificateSummary & {
  environment: Environment
  /** `operator`, `sandbox`, or the URL of a list. */
  source: string
  /** Null: all document types. */
  document_types: readonly string[] | null
  role: AnchorRole
  /** Who operates it. Null: it belongs to no entity. */
  entity: string | null
  /** Its list has expired, so the anchor is not trusted until the list is refreshed. */
  expired: boolean
}

export const maxAnchorPage = 50

export type AnchorPage = { anchors: AnchorSummary[]; next_after?: string }

/** The anchors of an environment page by page: the sandbox's first, then in the order in which they were added. */
export async function listAnchorPage(
  { db, sandbox }: { db: Database; sandbox: Sandbox },
  { environment, after }: { environment: Environment; after?: string | undefined },
): Promise<AnchorPage> {
  const rows = await readAnchorPage(db, { environment, after: after ?? '0', limit: maxAnchorPage + 1 })
  const page = rows.slice(0, maxAnchorPage)
  const last = page.at(-1)
  return {
    anchors: [
      ...(environment === 'test' && after === undefined ? await listSandboxAnchors(sandbox) : []),
      ...page.map(summarise),
    ],
    ...(rows.length > page.length && last !== undefined && { next_after: last.id }),
  }
}

/** Every anchor, with its source. */
export async function listAnchors({
  db,
  sandbox,
}: {
  db: Database
  sandbox: Sandbox
}): Promise<AnchorSummary[]> {
  return [...(await readAnchors(db)).map(summarise), ...(await listSandboxAnchors(sandbox))]
}

function summarise({
  environment,
  certificate,
  document_types,
  role,
  entity,
  list,
  expired,
}: StoredAnchor): AnchorSummary {
  return {
    environment,
    source: list ?? 'operator',
    ...describeCertificate(certificate),
    document_types,
    role,
    entity,
    expired,
  }
}

async function listSandboxAnchors(sandbox: Sandbox): Promise<AnchorSummary[]> {
  return (await sandbox.anchors()).map(({ certificate, document_types }) => ({
    environment: 'test' as const,
    source: 'sandbox',
    ...describeCertificate(certificate),
    document_types,
    role: 'issuing' as const,
    entity: null,
    expired: false,
  }))
}

/** How many anchors of issuers are in effect now, not counting the sandbox's. */
export async function countAnchors({ db }: { db: Database }): Promise<Record<Environment, number>> {
  const current = (await readAnchors(db)).filter(({ role, expired }) => role === 'issuing' && !expired)
  const count = (environment: Environment) =>
    current.filter((anchor) => anchor.environment === environment).length
  return { test: count('test'), live: count('live') }
}

/** A certificate in the form that an operator compares: the subject as OpenSSL writes it, on one line, and its SHA-256. */
export type CertificateSummary = { fingerprint: string; subject: string; not_after: string }

export function describeCertificate(der: Uint8Array): CertificateSummary {
  const { subject, validToDate } = new X509Certificate(der)
  return {
    fingerprint: computeFingerprint(der).toString('hex'),
    subject: subject.replaceAll('\n', ', '),
    not_after: validToDate.toISOString(),
  }
}

export function computeFingerprint(der: Uint8Array): Buffer {
  return createHash('sha256').update(der).digest()
}
