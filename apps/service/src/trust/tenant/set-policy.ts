import { type NewAuditEntry, appendAudit } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { bumpTenantTrustVersion, type TrustPolicy } from './store.ts'

export type SetTrustPolicy = { by: NewAuditEntry['by']; policy: TrustPolicy }

/** Sets whom a tenant trusts besides its own anchors. It applies to all later wallet responses. */
export async function setTrustPolicy(
  { db }: Pick<Context, 'db'>,
  { by, policy }: SetTrustPolicy,
): Promise<void> {
  await db.transaction(async (tx) => {
    const known = await bumpTenantTrustVersion(tx, { tenant_id: by.tenant_id, policy })
    if (!known) throw new Refusal('not_found', `There is no tenant ${by.tenant_id}.`)
    await appendAudit(tx, { action: 'tenant.trust_changed', by, detail: { policy } })
  })
}
