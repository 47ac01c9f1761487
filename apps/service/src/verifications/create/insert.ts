import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import { coalescePerTarget } from '../../platform/coalesce.ts'
import { connectionLost, failedBeforeCommit, timedOut } from '../../platform/db/failures.ts'
import { Refusal } from '../../platform/refusal.ts'
import { createSessions, findCreationTimes, type Creation, type CreationOutcome } from '../store.ts'

/**
 * Sends the creations that arrive while the previous call runs as one call. A tenant stays in one lane: its row is locked
 * until the commit is on disk, and a second call for it could only wait. Two lanes, so that one commit waits for the disk
 * while the other call runs; more of them make the calls smaller and everything slower.
 */
export const insertSession = coalescePerTarget<Context, Creation, CreationOutcome>({
  maxBatch: 64,
  maxWaiting: 2000,
  lanes: 2,
  keyOf: ({ tenant_id }) => tenant_id,
  wasRolledBack: failedBeforeCommit,
  run: insertSessions,
})

async function insertSessions(
  { db, config }: Context,
  creations: Creation[],
): Promise<(CreationOutcome | Error)[]> {
  try {
    return await createSessions(db, creations, quotasOf(config))
  } catch (error) {
    if (timedOut(error)) throw busy()
    if (!connectionLost(error)) throw error
    // The commit may have reached the disk although its answer did not reach us: what is there was created.
    const created = await findCreationTimes(db, creations)
    return creations.map(({ id }) => {
      const times = created.get(id)
      return times === undefined ? busy() : { outcome: 'created', ...times }
    })
  }
}

/** By plan; under the empty name that of a plan which is no longer configured, as `tenants/quota-of` has it. */
function quotasOf({ PLANS }: Config): Record<string, number> {
  return Object.fromEntries([
    ['', PLANS[0]?.daily_quota ?? 0],
    ...PLANS.map(({ name, daily_quota }) => [name, daily_quota]),
  ])
}

function busy(): Refusal {
  return new Refusal('overloaded', 'The verification was not created. Try again in a moment.', 1)
}
