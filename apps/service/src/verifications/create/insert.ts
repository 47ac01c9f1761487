import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import { coalescePerTarget } from '../../platform/coalesce.ts'
import { connectionLost, failedBeforeCommit, timedOut } from '../../platform/db/failures.ts'
import { Refusal } from '../../platform/refusal.ts'
import { createSessions, findCreated, type Creation, type CreationOutcome } from './store.ts'

/**
 * Sends creations that arrive while the previous call runs as one call. A tenant's row is locked until the commit is on disk, so a
 * second call for the same tenant could only wait. A call for other tenants starts beside one that is late: one commit waits for
 * the disk or a lock while the other call runs.
 */
export const insertSession = coalescePerTarget<Context, Creation, CreationOutcome>({
  maxBatch: 64,
  maxWaiting: 2000,
  maxStatements: 2,
  keyOf: ({ tenant_id }) => tenant_id,
  wasRolledBack: failedBeforeCommit,
  run: insertSessions,
})

async function insertSessions(
  { db, config }: Context,
  creations: Creation[],
): Promise<(CreationOutcome | Error)[]> {
  try {
    return await createSessions(db, creations, quotasByPlan(config))
  } catch (error) {
    if (timedOut(error)) throw overloaded()
    if (!connectionLost(error)) throw error
    // The commit may have succeeded although the connection broke: sessions that exist were created.
    const created = await findCreated(db, creations)
    return creations.map(({ id }) => {
      const answer = created.get(id)
      return answer === undefined ? overloaded() : { outcome: 'created', answer }
    })
  }
}

/** Quotas by plan. The empty name stands for a plan that is no longer configured, as in `tenants/resolve-quota`. */
function quotasByPlan({ PLANS }: Config): Record<string, number> {
  return Object.fromEntries([
    ['', PLANS[0]?.daily_quota ?? 0],
    ...PLANS.map(({ name, daily_quota }) => [name, daily_quota]),
  ])
}

function overloaded(): Refusal {
  return new Refusal('overloaded', 'The verification was not created. Try again in a moment.', 1)
}
