import type { Environment } from '@vidimus/contract'
import type { Context } from '../../context.ts'
import { describeCertificate, type DescribedCertificate } from '../anchors/describe.ts'
import { readOwnAnchors, readTenantTrust, type TrustPolicy } from './store.ts'

type OwnAnchor = DescribedCertificate & {
  environment: Environment
  /** Null: every document. */
  document_types: readonly string[] | null
}
export type OwnTrust = { policy: TrustPolicy; anchors: OwnAnchor[] }

/** Whom a tenant believes: its policy, and the anchors that are its own. */
export async function getOwnTrust({ db }: Pick<Context, 'db'>, tenant_id: string): Promise<OwnTrust> {
  const [decided] = await readTenantTrust(db, [tenant_id])
  const anchors = await readOwnAnchors(db, { tenant_id })
  return {
    policy: decided?.policy ?? 'all',
    anchors: anchors.map(({ environment, certificate, document_types }) => ({
      environment,
      ...describeCertificate(certificate),
      document_types,
    })),
  }
}
