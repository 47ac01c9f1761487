import { X509Certificate } from 'node:crypto'
import type { AnchorRole } from '@vidimus/protocol'
import { appendAudit } from '../audit/index.ts'
import { type MadeAccess, type MadeItem, environmentOf } from '../accounts/index.ts'
import { describeCertificate } from './anchors/describe.ts'
import { readFingerprint } from './anchors/read-pem.ts'
import { readIdentityOfMember, setTenantIdentity, updateIdentityMaker } from './identity/store.ts'
import { toRemovedAnchor } from './revocable.ts'
import {
  bumpTenantTrustVersion,
  deleteTenantAnchor,
  readAnchorsOfMember,
  updateAnchorMaker,
} from './tenant/store.ts'

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
