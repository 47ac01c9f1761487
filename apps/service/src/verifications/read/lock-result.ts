import type { Db } from '../../engine/db/index.ts'
import { type ClientPrincipal, dayOfVerificationId } from '../../engine/basics/index.ts'
import { lockVerificationResult, type LockedResult } from '../store.ts'

export type { LockedResult }

/**
 * The result of a verification for the site that asked. Locks the verification until the transaction ends, so that an erasure waits.
 * Undefined if the verification is not the tenant's, or was erased.
 */
export async function lockResult(
  tx: Db,
  { tenant_id, environment }: ClientPrincipal,
  id: string,
): Promise<LockedResult | undefined> {
  const day = dayOfVerificationId(id)
  return day === undefined ? undefined : lockVerificationResult(tx, { day, id, tenant_id, environment })
}
