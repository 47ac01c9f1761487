import { type ChangeVersion, type Database, validatedCache } from '../../engine/db/index.ts'
import { readTenantSettings, type TenantSettingsRow } from './store.ts'

/** The settings of the tenant of a session, for a request that has seen a version. */
export async function getTenantSettings(
  db: Database,
  tenantId: string,
  version: ChangeVersion | undefined,
): Promise<TenantSettingsRow> {
  const settings = await tenantSettings.at(db, version, tenantId)
  if (settings === undefined) throw new Error('the session has no tenant')
  return settings
}

const tenantSettings = validatedCache<string, TenantSettingsRow>({
  maxBatch: 100,
  maxWaiting: 2000,
  nameOf: (id) => id,
  async read(db, ids) {
    const { moment, rows } = await readTenantSettings(db, ids)
    const byId = new Map(rows.map((row) => [row.id, row]))
    return { moment, values: ids.map((id) => byId.get(id)) }
  },
})
