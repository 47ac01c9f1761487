import type { Environment } from '@vidimus/contract'
import type { AnchorRole } from '@vidimus/protocol'
import type { Context } from '../../engine/context.ts'
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
