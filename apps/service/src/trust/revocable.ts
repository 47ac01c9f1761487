import { appendAudit } from '../audit/index.ts'
import type { LedgerEntry, Revocable } from '../engine/ledger/index.ts'
import { bumpTrustVersion, deleteAnchor } from './anchors/store.ts'
import {
  readAddedAnchorPage,
  readTenantAnchorPage,
  type AnchorKey,
  type TenantAnchorKey,
} from './revocable-store.ts'
import { bumpTenantTrustVersion, deleteTenantAnchor } from './tenant/store.ts'

/** Anchors that operators removed. */
export const revocableAnchors: Revocable<AnchorKey> = {
  kind: 'anchor',
  readPage: readAddedAnchorPage,
  ledgerIds: (anchor) => [toRemovedAnchor(anchor).id],
  async end(tx, anchor) {
    await deleteAnchor(tx, anchor)
    await bumpTrustVersion(tx)
  },
}

/** Anchors of their own that tenants removed. */
export const revocableTenantAnchors: Revocable<TenantAnchorKey> = {
  kind: 'anchor',
  readPage: readTenantAnchorPage,
  ledgerIds: (anchor) => [toRemovedAnchor(anchor).id],
  async end(tx, anchor) {
    const { tenant_id, environment, fingerprint, role } = anchor
    await deleteTenantAnchor(tx, anchor)
    await bumpTenantTrustVersion(tx, { tenant_id })
    await appendAudit(tx, {
      action: 'tenant.trust_changed',
      by: { kind: 'operator', tenant_id },
      detail: { environment, removed: [fingerprint.toString('hex')], role, cause: 'restore' },
    })
  },
}

/** What the ledger records of an anchor that was removed: of a tenant, or of the operator if none is given. */
export function toRemovedAnchor({
  tenant_id = '',
  environment,
  fingerprint,
  role,
}: AnchorKey & { tenant_id?: string }): LedgerEntry {
  return { kind: 'anchor', id: `${tenant_id} ${environment} ${fingerprint.toString('hex')} ${role}` }
}
