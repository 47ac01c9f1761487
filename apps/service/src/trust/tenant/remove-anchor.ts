import type { Environment } from '@vidimus/contract'
import type { AnchorRole } from '@vidimus/protocol'
import { type NewAuditEntry, appendAudit } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { notFound } from '../../engine/basics/index.ts'
import { readFingerprint } from '../anchors/read-pem.ts'
import { toRemovedAnchor } from '../revocable.ts'
import { deleteTenantAnchor, bumpTenantTrustVersion } from './store.ts'

export type RemoveTenantAnchor = {
  by: NewAuditEntry['by']
  environment: Environment
  fingerprint: string
  /** All roles if absent. */
  role?: AnchorRole | undefined
}

/** Removes one of a tenant's own trust anchors. */
export async function removeTenantAnchor(
  { db, ledger }: Pick<Context, 'db' | 'ledger'>,
  { by, environment, fingerprint: given, role }: RemoveTenantAnchor,
): Promise<void> {
  const { tenant_id } = by
  const { hexadecimal, fingerprint } = readFingerprint(given)
  await db.transaction(async (tx) => {
    const removed = await deleteTenantAnchor(tx, { tenant_id, environment, fingerprint, role })
    if (removed.length === 0) throw notFound('anchor_not_found')
    await bumpTenantTrustVersion(tx, { tenant_id })
    await appendAudit(tx, {
      action: 'tenant.trust_changed',
      by,
      detail: { environment, removed: [hexadecimal], ...(role !== undefined && { role }) },
    })
    await ledger.record(
      tx,
      removed.map((each) => toRemovedAnchor({ tenant_id, environment, fingerprint, role: each })),
    )
  })
}
