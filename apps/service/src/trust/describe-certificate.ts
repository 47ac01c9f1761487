import { X509Certificate } from 'node:crypto'
import type { AccessCertificate } from '@vidimus/contract'
import type { Context } from '../context.ts'
import { identityByHash } from './identity-by-hash.ts'
import { identityFor } from './identity-for.ts'
import { findCertificate, isSelfMade } from './store.ts'

const hashBytes = 32

/** The certificate that a tenant's sessions are asked with from now on: its own, or the service's. */
export async function describeCertificate(
  ctx: Pick<Context, 'db' | 'identity' | 'keyring'>,
  tenant_id: string,
): Promise<AccessCertificate> {
  const hash = (await identityFor(ctx, tenant_id)).subarray(0, hashBytes)
  const row = await findCertificate(ctx.db, hash)
  if (row === undefined) throw new Error('the certificate in use is not kept')
  const leaf = new X509Certificate(row.chain)
  const service = (await ctx.identity()).hash
  return {
    own: !service.equals(hash),
    self_made: await isSelfMade(ctx.db, hash),
    subject: oneLine(leaf.subject),
    issuer: oneLine(leaf.issuer),
    valid_from: timestamp(leaf.validFromDate),
    expires_at: timestamp(leaf.validToDate),
    fingerprint: hash.toString('hex'),
    client_id: (await identityByHash(ctx, hash)).client_id,
  }
}

/** OpenSSL writes a name part a line. */
function oneLine(name: string): string {
  return name.split('\n').join(', ')
}

function timestamp(date: Date): string {
  return date.toISOString().replace('Z', '000Z')
}
