import { X509Certificate } from 'node:crypto'
import type { AccessCertificate } from '@vidimus/contract'
import type { TrustContext } from '../context.ts'
import { getIdentity, type IdentityContext } from './get-identity.ts'
import { getIdentityHash } from './get-identity-hash.ts'
import { findCertificate, isSelfMade } from './store.ts'

const hash_bytes = 32

/** The certificate that signs the requests of a tenant's new sessions: the tenant's own, or the service's. */
export async function describeAccessCertificate(
  ctx: IdentityContext & Pick<TrustContext, 'identity'>,
  tenant_id: string,
): Promise<AccessCertificate> {
  const hash = (await getIdentityHash(ctx, tenant_id)).subarray(0, hash_bytes)
  const row = await findCertificate(ctx.db, hash)
  if (row === undefined) throw new Error('The certificate in use is not in the database.')
  const leaf = new X509Certificate(row.chain)
  const service = (await ctx.identity()).hash
  return {
    own: !service.equals(hash),
    self_made: await isSelfMade(ctx.db, hash),
    subject: joinNameParts(leaf.subject),
    issuer: joinNameParts(leaf.issuer),
    valid_from: toTimestamp(leaf.validFromDate),
    expires_at: toTimestamp(leaf.validToDate),
    fingerprint: hash.toString('hex'),
    client_id: (await getIdentity(ctx, hash)).client_id,
  }
}

/** OpenSSL writes each part of a name on its own line. */
function joinNameParts(name: string): string {
  return name.split('\n').join(', ')
}

function toTimestamp(date: Date): string {
  return date.toISOString().replace('Z', '000Z')
}
