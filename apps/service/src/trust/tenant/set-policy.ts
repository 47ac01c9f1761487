import { appendAudit, type NewAuditEntry } from '../../audit/append.ts'
import type { Context } from '../../context.ts'
import { Refusal } from '../../engine/basics/refusal.ts'
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
