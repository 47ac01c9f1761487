import type { Context } from '../../engine/context.ts'
import type { ChangeVersion } from '../../engine/db/index.ts'
import type { PolicyRow } from './store.ts'
import { getTenantSettings } from './tenant-settings.ts'

export type Policies = PolicyRow

/** The tenant's current policies on results. A request that has seen a version passes it, and needs no statement. */
export async function getPolicies(
  { db }: Pick<Context, 'db'>,
  tenantId: string,
  version?: ChangeVersion,
): Promise<Policies> {
  const settings = await getTenantSettings(db, tenantId, version)
  const { retention_days, forget_on_delivery, hold_back, status_unavailable } = settings
  return { retention_days, forget_on_delivery, hold_back, status_unavailable }
}
