import type { Db } from '../../engine/db/index.ts'
import { type ClientPrincipal, dayOfSessionId } from '../../engine/basics/index.ts'
import { lockSessionResult, type LockedResult } from '../store.ts'

export type { LockedResult }

/**
 * The result of a session for the site that asked. Locks the session until the transaction ends, so that an erasure comes before, and
 * there is nothing, or after. Undefined if the session is not the tenant's, or was erased.
 */
export async function lockResult(
  tx: Db,
  { tenant_id, environment }: ClientPrincipal,
  id: string,
): Promise<LockedResult | undefined> {
  const day = dayOfSessionId(id)
  return day === undefined ? undefined : lockSessionResult(tx, { day, id, tenant_id, environment })
}
