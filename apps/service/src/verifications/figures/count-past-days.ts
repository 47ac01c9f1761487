import type { Context } from '../../context.ts'
import { deleteOldCounts, insertCounts, markCounted, readNextDay, readTenantsOfDay } from './store.ts'

const tenantsPerPage = 100
const deleteBatch = 5000
/** A day of a large tenant is read in one statement. */
const countLimits = { statement_ms: 120_000 }
const firstTenant = '00000000-0000-0000-0000-000000000000'

/**
 * Counts the outcomes of each day that is over, once, so that a long range does not read every session. Responses do not depend
 * on it: days that were not counted yet are read from their sessions. Two workers count the same.
 */
export async function countPastDays({ db }: Pick<Context, 'db'>, signal?: AbortSignal): Promise<void> {
  for (let day = await readNextDay(db); day !== undefined; day = await readNextDay(db)) {
    let after = firstTenant
    for (;;) {
      const tenants = await readTenantsOfDay(db, { day, after, limit: tenantsPerPage })
      for (const tenant_id of tenants) {
        if (signal?.aborted === true) return
        const counted = { tenant_id, day }
        await db.transaction((tx) => insertCounts(tx, counted), countLimits)
      }
      const last = tenants.at(-1)
      if (last === undefined) break
      after = last
    }
    await markCounted(db, day)
  }
  while ((await deleteOldCounts(db, deleteBatch)) >= deleteBatch);
}
