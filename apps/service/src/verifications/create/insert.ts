import type { Context } from '../../engine/context.ts'
import {
  type Db,
  coalescePerTarget,
  connectionLost,
  failedBeforeCommit,
  isDuplicate,
  timedOut,
} from '../../engine/db/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import {
  createVerifications,
  findCreated,
  findLaterKey,
  type Creation,
  type CreationOutcome,
} from './store.ts'

/**
 * Sends creations that arrive while the previous call runs as one call. A tenant's row is locked until the commit is on disk, so a
 * second call for the same tenant could only wait. A call for other tenants starts beside one that is late: one commit waits for
 * the disk or a lock while the other call runs.
 */
export const insertVerification = coalescePerTarget<Context, Creation, CreationOutcome>({
  maxBatch: 64,
  maxWaiting: 2000,
  maxStatements: 2,
  keyOf: ({ tenant_id }) => tenant_id,
  wasRolledBack: failedBeforeCommit,
  run: insertVerifications,
})

async function insertVerifications(
  { db }: Context,
  creations: Creation[],
): Promise<(CreationOutcome | Error)[]> {
  try {
    return await createVerifications(db, creations)
  } catch (error) {
    if (timedOut(error)) throw overloaded()
    // Several are tried again one by one.
    const [creation, ...others] = creations
    if (isDuplicate(error) && creation !== undefined && others.length === 0)
      return [(await findReplay(db, creation)) ?? asError(error)]
    if (!connectionLost(error)) throw error
    // The commit may have succeeded although the connection broke: verifications that exist were created.
    const created = await findCreated(db, creations)
    return creations.map(({ stored }) => {
      const times = created.get(stored.id)
      return times === undefined ? overloaded() : { outcome: 'created', ...times }
    })
  }
}

/**
 * The clock of a new primary may be behind. An idempotency key that was stored after what is midnight now has a day in the future, where
 * `create_verifications` does not look, and only its uniqueness prevents a second verification.
 */
async function findReplay(db: Db, { key_hash, body_hash }: Creation): Promise<CreationOutcome | undefined> {
  const found = key_hash === null ? undefined : await findLaterKey(db, key_hash)
  if (found === undefined) return undefined
  const { response, created_at, expires_at } = found
  return response !== null && body_hash?.equals(found.body_hash) === true
    ? { outcome: 'replayed', response, created_at, expires_at }
    : { outcome: 'reused' }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

function overloaded(): Refusal {
  return new Refusal('overloaded', 'The verification was not created. Try again in a moment.', 1)
}
