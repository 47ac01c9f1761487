import type { VerificationDetail } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { findByInfo } from './store.ts'

const certificateHash_bytes = 32

/** The registration that a session is asked under, by the identity it was created with. Without members if it was removed since. */
export async function nameRegistrationOf(
  { db }: Pick<Context, 'db'>,
  { tenant_id, certificate }: { tenant_id: string; certificate: Buffer },
): Promise<VerificationDetail['registration']> {
  const info = certificate.subarray(certificateHash_bytes)
  return info.length === 0 ? undefined : ((await findByInfo(db, { tenant_id, info })) ?? {})
}
