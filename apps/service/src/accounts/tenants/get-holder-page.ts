import type { Context } from '../../engine/context.ts'
import type { ChangeVersion } from '../../engine/db/index.ts'
import type { HolderPageRow } from './store.ts'
import { getTenantSettings } from './tenant-settings.ts'

export type HolderPage = HolderPageRow

/** The tenant's current settings for pages and the age app. A request that has seen a version passes it, and needs no statement. */
export async function getHolderPage(
  { db }: Pick<Context, 'db'>,
  tenantId: string,
  version?: ChangeVersion,
): Promise<HolderPage> {
  const { page_origins, age_app } = await getTenantSettings(db, tenantId, version)
  return { page_origins, age_app }
}
