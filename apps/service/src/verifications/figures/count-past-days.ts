import type { Environment } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { isMovingTenant } from '../../engine/db/index.ts'
import {
  countEnded,
  deleteOldCounts,
  insertCounts,
  markCounted,
  maxCountedAhead,
  readLargeTenants,
  readNextDay,
  readTenantsOfDay,
} from './store.ts'

const tenantsPerPage = 100
const deleteBatch = 5000
/** A day of a large tenant is read in one statement. */
const countLimits = { statement_ms: 120_000 }
const firstTenant = '00000000-0000-0000-0000-000000000000'
/** Fewer sessions are counted for each reader. */
const minSessions = { of_day: 4000, at_once: 2000 }

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

/**
 * Counts those of today's sessions that have ended, for tenants with many, so that whoever looks at the figures counts only the last
 * few minutes. Each session is counted once, and responses do not depend on it.
 */
export async function countToday({ db }: Pick<Context, 'db'>, signal?: AbortSignal): Promise<void> {
  const page = { limit: tenantsPerPage, min_sessions: minSessions.of_day }
  for (let after: string | undefined = firstTenant; after !== undefined;) {
    const tenants = await readLargeTenants(db, { ...page, after })
    for (const tenant_id of tenants)
      for (const environment of ['test', 'live'] as const) {
        if (signal?.aborted === true) return
        await countAllEnded(db, { tenant_id, environment })
      }
    after = tenants.at(-1)
  }
}

async function countAllEnded(
  db: Context['db'],
  scope: { tenant_id: string; environment: Environment },
): Promise<void> {
  const count = () => db.transaction((tx) => countEnded(tx, { ...scope, min_sessions: minSessions.at_once }))
  try {
    while ((await count()) >= maxCountedAhead);
  } catch (error) {
    // Its rows do not change until it has arrived in the other cell.
    if (!isMovingTenant(error)) throw error
  }
}
