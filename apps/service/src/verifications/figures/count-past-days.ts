import type { Environment } from '@vidimus/contract'
import { deleteOldUsage, insertUsageCounts } from '../../accounts/index.ts'
import { queueUsageDay } from '../../deliveries/index.ts'
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
/** One statement reads a whole day of a large tenant. */
const countLimits = { statement_ms: 120_000 }
const firstTenant = '00000000-0000-0000-0000-000000000000'
/** Below these numbers nothing is counted in advance: each request for figures counts for itself. */
const minVerifications = { of_day: 4000, at_once: 2000 }

/**
 * Counts the outcomes of each past day once, so that a long range does not read every verification, and queues its usage for the operator's
 * billing. Responses do not depend on
 * it: days that are not counted yet are read row by row. Two workers may count the same day.
 */
export async function countPastDays(
  { config, db }: Pick<Context, 'config' | 'db'>,
  signal?: AbortSignal,
): Promise<void> {
  for (let day = await readNextDay(db); day !== undefined; day = await readNextDay(db)) {
    let after = firstTenant
    for (;;) {
      const tenants = await readTenantsOfDay(db, { day, after, limit: tenantsPerPage })
      for (const tenant_id of tenants) {
        if (signal?.aborted === true) return
        const counted = { tenant_id, day }
        await db.transaction(async (tx) => {
          await insertCounts(tx, counted)
          await insertUsageCounts(tx, counted)
        }, countLimits)
      }
      const last = tenants.at(-1)
      if (last === undefined) break
      after = last
    }
    await db.transaction(async (tx) => {
      if (await markCounted(tx, day)) await queueUsageDay(tx, { config }, day)
    })
  }
  while ((await deleteOldCounts(db, deleteBatch)) >= deleteBatch);
  while ((await deleteOldUsage(db, deleteBatch)) >= deleteBatch);
}

/**
 * Counts today's verifications that have ended, for tenants with many, so that a request for figures counts only those of the last
 * few minutes. Each is counted once, and responses do not depend on it.
 */
export async function countToday({ db }: Pick<Context, 'db'>, signal?: AbortSignal): Promise<void> {
  const page = { limit: tenantsPerPage, min_verifications: minVerifications.of_day }
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
  const count = () =>
    db.transaction((tx) => countEnded(tx, { ...scope, min_verifications: minVerifications.at_once }))
  try {
    while ((await count()) >= maxCountedAhead);
  } catch (error) {
    // The tenant is moving to another cell, and its rows cannot be changed meanwhile.
    if (!isMovingTenant(error)) throw error
  }
}
