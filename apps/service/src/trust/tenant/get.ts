import type { Environment } from '@vidimus/contract'
import type { AnchorRole } from '@vidimus/protocol'
import type { Context } from '../../engine/context.ts'
import { describeCertificate, type CertificateSummary } from '../anchors/describe.ts'
import { readTenantAnchors, readTenantTrust, type TrustPolicy } from './store.ts'

type TenantAnchor = CertificateSummary & {
  environment: Environment
  /** Null: all document types. */
  document_types: readonly string[] | null
  role: AnchorRole
  /** Null: it stands alone. */
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
