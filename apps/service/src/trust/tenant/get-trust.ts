import { X509Certificate } from 'node:crypto'
import type { Environment } from '@vidimus/contract'
import type { AnchorRole } from '@vidimus/protocol'
import type { Context } from '../../engine/context.ts'
import { type PemAnchors, readNewAnchors } from '../anchors/add-anchor.ts'
import type { NewAnchor } from '../anchors/store.ts'
import { type CertificateSummary, describeCertificate } from '../anchors/list-anchors.ts'
import { type TrustPolicy, readTenantAnchors, readTenantTrust, readTenantsTrustingLists } from './store.ts'

type TenantAnchor = CertificateSummary & {
  environment: Environment
  /** Null: all document types. */
  document_types: readonly string[] | null
  role: AnchorRole
  /** Null: it belongs to no entity. */
  entity: string | null
}
export type TenantTrust = { policy: TrustPolicy; anchors: TenantAnchor[] }

/** Whom a tenant trusts: its policy and its own anchors. */
export async function getTenantTrust({ db }: Pick<Context, 'db'>, tenant_id: string): Promise<TenantTrust> {
  const { rows } = await readTenantTrust(db, [tenant_id])
  const anchors = await readTenantAnchors(db, { tenant_id })
  return {
    policy: rows[0]?.policy ?? 'all',
    anchors: anchors.map(({ environment, certificate, document_types, role, entity }) => ({
      environment,
      ...describeCertificate(certificate),
      document_types,
      role,
      entity,
    })),
  }
}

/** One anchor with its certificate as PEM. */
export type PemAnchor = {
  environment: Environment
  pem: string
  role: AnchorRole
  entity?: string
  document_types?: string[]
}

/** The same with the certificates themselves. */
export async function exportTenantTrust(
  { db }: Pick<Context, 'db'>,
  tenant_id: string,
): Promise<{ policy: TrustPolicy; anchors: PemAnchor[] }> {
  const { rows } = await readTenantTrust(db, [tenant_id])
  const anchors = await readTenantAnchors(db, { tenant_id })
  return { policy: rows[0]?.policy ?? 'all', anchors: anchors.map(toPemAnchor) }
}

/** Each certificate of a PEM text as an anchor of its own. Refused if one of them could not be added. */
export function splitAnchors(input: PemAnchors): PemAnchor[] {
  return readNewAnchors(input).map((anchor) => toPemAnchor({ environment: input.environment, ...anchor }))
}

function toPemAnchor({
  environment,
  certificate,
  role,
  entity,
  document_types,
}: Omit<NewAnchor, 'fingerprint'> & { environment: Environment }): PemAnchor {
  return {
    environment,
    pem: new X509Certificate(certificate).toString(),
    role,
    ...(entity !== null && { entity }),
    ...(document_types !== null && { document_types: [...new Set(document_types)].toSorted() }),
  }
}

const pageSize = 500

/** The tenants that trust lists are for, page by page. */
export async function* listTenantsTrustingLists({ db }: Pick<Context, 'db'>): AsyncGenerator<string[]> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const page = await readTenantsTrustingLists(db, { after, limit: pageSize })
    yield page
    if (page.length < pageSize) return
    after = page.at(-1) ?? after
  }
}
