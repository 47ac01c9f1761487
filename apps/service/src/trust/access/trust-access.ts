import { X509Certificate } from 'node:crypto'
import type { EcosystemName } from '@vidimus/contract'
import type { AnchorRole } from '@vidimus/protocol'
import { type MadeAccess, type MadeItem, environmentOf } from '../../accounts/index.ts'
import { appendAudit } from '../../audit/index.ts'
import type { LedgerEntry, EndedRows } from '../../engine/ledger/index.ts'
import { readFingerprint } from '../anchors/add-anchor.ts'
import { describeCertificate } from '../anchors/list-anchors.ts'
import { bumpTrustVersion, deleteAnchor } from '../anchors/store.ts'
import {
  type EcosystemIdentityKey,
  deleteEcosystemIdentity,
  readEcosystemIdentitiesOfMember,
  readIdentityOfMember,
  setTenantIdentity,
  updateEcosystemIdentityMaker,
  updateIdentityMaker,
} from '../identity/store.ts'
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

/** The certificates of the tenant's requests: the access certificate, without which the service's own signs, and those by ecosystem. */
export const madeIdentities: MadeAccess = {
  async list(db, maker) {
    const identity = await readIdentityOfMember(db, maker)
    const others = await readEcosystemIdentitiesOfMember(db, maker)
    const nameOf = (chain: string) => new X509Certificate(chain).subject.replaceAll('\n', ', ')
    return [
      ...(identity === undefined
        ? []
        : [{ id: identity.certificate.toString('hex'), name: nameOf(identity.chain) }]),
      ...others.map(({ ecosystem, environment, chain }) => ({
        id: `${ecosystem} ${environment}`,
        name: nameOf(chain),
        environment,
      })),
    ]
  },
  async end(tx, item, { by, cause }) {
    const { tenant_id } = by
    const other = readIdentityItem(item, tenant_id)
    if (other === undefined) await setTenantIdentity(tx, { tenant_id, certificate: null, created_by: null })
    else await deleteEcosystemIdentity(tx, other)
    const detail = {
      client_id: null,
      cause,
      ...(other && { ecosystem: other.ecosystem, environment: other.environment }),
    }
    await appendAudit(tx, { action: 'tenant.identity_changed', by, detail })
    return []
  },
  async setMaker(tx, item, { tenant_id, member_id }) {
    const other = readIdentityItem(item, tenant_id)
    if (other === undefined) await updateIdentityMaker(tx, { tenant_id, created_by: member_id })
    else await updateEcosystemIdentityMaker(tx, other, member_id)
  },
}

/** Undefined for the access certificate. */
function readIdentityItem(item: MadeItem, tenant_id: string): EcosystemIdentityKey | undefined {
  const [ecosystem = '', environment] = item.id.split(' ')
  if (environment === undefined) return undefined
  // `list` wrote it.
  return { tenant_id, ecosystem: ecosystem as EcosystemName, environment: environmentOf(item) }
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
