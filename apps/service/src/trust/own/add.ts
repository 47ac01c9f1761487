import { appendAudit, type AuditEntry } from '../../audit/append.ts'
import type { Context } from '../../context.ts'
import { Refusal } from '../../platform/refusal.ts'
import { describeCertificate, type DescribedCertificate } from '../anchors/describe.ts'
import { readGivenAnchors, type GivenAnchors } from '../anchors/read-pem.ts'
import { mostOwnAnchors, putOwnAnchors, turnTenantTrust } from './store.ts'

/** Trusts the certificates of a PEM file for one tenant's verifications, in one environment. */
export async function addOwnAnchors(
  { db }: Pick<Context, 'db'>,
  { by, ...given }: GivenAnchors & { by: AuditEntry['by'] },
): Promise<DescribedCertificate[]> {
  const { environment } = given
  const { tenant_id } = by
  const anchors = readGivenAnchors(given)
  const added = anchors.map(({ certificate }) => describeCertificate(certificate))
  await db.transaction(async (tx) => {
    const known = await turnTenantTrust(tx, { tenant_id })
    if (!known) throw new Refusal('not_found', `There is no tenant ${tenant_id}.`)
    if ((await putOwnAnchors(tx, { tenant_id, environment }, anchors)) > mostOwnAnchors)
      throw new Refusal('invalid_request', `A tenant has at most ${mostOwnAnchors} anchors of its own.`)
    await appendAudit(tx, {
      action: 'tenant.trust_changed',
      by,
      detail: { environment, added: added.map(({ fingerprint }) => fingerprint) },
    })
  })
  return added
}
