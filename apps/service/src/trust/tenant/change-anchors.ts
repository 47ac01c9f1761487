import { type Environment, accessKinds } from '@vidimus/contract'
import type { AnchorRole } from '@vidimus/protocol'
import { lockMaker } from '../../accounts/index.ts'
import { type NewAuditEntry, appendAudit } from '../../audit/index.ts'
import { Refusal, notFound } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { type PemAnchors, readFingerprint, readNewAnchors } from '../anchors/add-anchor.ts'
import { type CertificateSummary, describeCertificate } from '../anchors/list-anchors.ts'
import { toRemovedAnchor } from '../access/trust-access.ts'
import {
  type TrustPolicy,
  bumpTenantTrustVersion,
  deleteTenantAnchor,
  maxTenantAnchors,
  putTenantAnchors,
} from './store.ts'

/** Adds the certificates of a PEM file as trust anchors for one tenant in one environment. */
export async function addTenantAnchors(
  { db }: Pick<Context, 'db'>,
  { by, ...input }: PemAnchors & { by: NewAuditEntry['by'] },
): Promise<CertificateSummary[]> {
  const { environment, role, entity } = input
  const { tenant_id } = by
  const anchors = readNewAnchors(input)
  const added = anchors.map(({ certificate }) => describeCertificate(certificate))
  await db.transaction(async (tx) => {
    const maker = await lockMaker(tx, by, ...accessKinds.trust_anchor.needs)
    const known = await bumpTenantTrustVersion(tx, { tenant_id })
    if (!known) throw new Refusal('not_found', `There is no tenant ${tenant_id}.`)
    const owner = { tenant_id, environment, created_by: maker.member_id }
    if ((await putTenantAnchors(tx, owner, anchors)) > maxTenantAnchors)
      throw new Refusal(
        'invalid_request',
        `A tenant can have at most ${maxTenantAnchors} anchors of its own.`,
      )
    await appendAudit(tx, {
      action: 'tenant.trust_changed',
      by,
      detail: {
        environment,
        added: added.map(({ fingerprint }) => fingerprint),
        ...(role !== undefined && { role }),
        ...(entity !== undefined && { entity }),
      },
    })
  })
  return added
}

/** Describes the certificates of a PEM text for a person to confirm. What could not be added is refused here already. */
export function previewAnchors(input: PemAnchors): CertificateSummary[] {
  return readNewAnchors(input).map(({ certificate }) => describeCertificate(certificate))
}

type RemoveTenantAnchor = {
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
