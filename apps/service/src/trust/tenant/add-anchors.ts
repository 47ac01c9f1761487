import { accessKinds } from '@vidimus/contract'
import { type NewAuditEntry, appendAudit } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { lockActingMember, makerOf } from '../../accounts/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { describeCertificate, type CertificateSummary } from '../anchors/describe.ts'
import { readNewAnchors, type PemAnchors } from '../anchors/read-pem.ts'
import { maxTenantAnchors, putTenantAnchors, bumpTenantTrustVersion } from './store.ts'

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
    await lockActingMember(tx, by, ...accessKinds.trust_anchor.needs)
    const known = await bumpTenantTrustVersion(tx, { tenant_id })
    if (!known) throw new Refusal('not_found', `There is no tenant ${tenant_id}.`)
    const owner = { tenant_id, environment, created_by: makerOf(by) }
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
