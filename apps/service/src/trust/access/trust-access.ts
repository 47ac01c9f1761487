import { X509Certificate } from 'node:crypto'
import type { AnchorRole } from '@vidimus/protocol'
import { type MadeAccess, type MadeItem, environmentOf } from '../../accounts/index.ts'
import { appendAudit } from '../../audit/index.ts'
import type { LedgerEntry, EndedRows } from '../../engine/ledger/index.ts'
import { readFingerprint } from '../anchors/add-anchor.ts'
import { describeCertificate } from '../anchors/list-anchors.ts'
import { bumpTrustVersion, deleteAnchor } from '../anchors/store.ts'
import { readIdentityOfMember, setTenantIdentity, updateIdentityMaker } from '../identity/store.ts'
import {
  type AnchorKey,
  type TenantAnchorKey,
  readAddedAnchorPage,
  readTenantAnchorPage,
} from './ended-store.ts'
import {
  bumpTenantTrustVersion,
  deleteTenantAnchor,
  readAnchorsOfMember,
  updateAnchorMaker,
} from '../tenant/store.ts'

/** A tenant's own trust anchors, each in one role. */
export const madeAnchors: MadeAccess = {
  async list(db, maker) {
    const anchors = await readAnchorsOfMember(db, maker)
    return anchors.map(({ certificate, environment, role }) => {
      const { fingerprint, subject } = describeCertificate(certificate)
      return { id: `${fingerprint} ${role}`, name: subject, environment }
    })
  },
  async end(tx, item, { by, cause }) {
    const { tenant_id } = by
    const anchor = { tenant_id, ...readAnchorItem(item) }
    const removed = await deleteTenantAnchor(tx, anchor)
    await bumpTenantTrustVersion(tx, { tenant_id })
    const { environment, fingerprint, role } = anchor
    await appendAudit(tx, {
      action: 'tenant.trust_changed',
      by,
      detail: { environment, removed: [fingerprint.toString('hex')], role, cause },
    })
    return removed.map((each) => toRemovedAnchor({ ...anchor, role: each }))
  },
  async setMaker(tx, item, { tenant_id, member_id }) {
    await updateAnchorMaker(tx, { tenant_id, ...readAnchorItem(item) }, member_id)
  },
}

function readAnchorItem(item: MadeItem) {
  const [hexadecimal = '', role] = item.id.split(' ')
  const { fingerprint } = readFingerprint(hexadecimal)
  // `list` wrote it.
  return { environment: environmentOf(item), fingerprint, role: role as AnchorRole }
}

/** The access certificate of the tenant's requests. Without it the service's own signs. */
export const madeIdentities: MadeAccess = {
  async list(db, maker) {
    const identity = await readIdentityOfMember(db, maker)
    if (identity === undefined) return []
    const { subject } = new X509Certificate(identity.chain)
    return [{ id: identity.certificate.toString('hex'), name: subject.replaceAll('\n', ', ') }]
  },
  async end(tx, _item, { by, cause }) {
    await setTenantIdentity(tx, { tenant_id: by.tenant_id, certificate: null, created_by: null })
    await appendAudit(tx, { action: 'tenant.identity_changed', by, detail: { client_id: null, cause } })
    return []
  },
  async setMaker(tx, _item, { tenant_id, member_id }) {
    await updateIdentityMaker(tx, { tenant_id, created_by: member_id })
  },
}

/** Anchors that operators removed. */
export const endedAnchors: EndedRows<AnchorKey> = {
  kind: 'anchor',
  readPage: readAddedAnchorPage,
  ledgerIds: (anchor) => [toRemovedAnchor(anchor).id],
  async end(tx, anchor) {
    await deleteAnchor(tx, anchor)
    await bumpTrustVersion(tx)
  },
}

/** Anchors of their own that tenants removed. */
export const endedTenantAnchors: EndedRows<TenantAnchorKey> = {
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
