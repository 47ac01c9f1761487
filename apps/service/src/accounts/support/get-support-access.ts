import type { SupportAccess } from '@vidimus/contract'
import type { Db } from '../../engine/db/index.ts'
import { findSupportAccess } from './store.ts'

/** The access that operators have to a tenant now. */
export async function getSupportAccess(db: Db, tenant_id: string): Promise<SupportAccess | undefined> {
  const row = await findSupportAccess(db, tenant_id)
  if (row === undefined) return undefined
  const { given_by: by, name, reason, since, until } = row
  return { by, name, since, until, ...(reason !== null && { reason }) }
}
