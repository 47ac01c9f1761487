import type { Context } from '../engine/context.ts'
import type { Db } from '../engine/db/index.ts'
import { AuditTamperedError } from './append.ts'
import { saveCheckpoint } from './log/save-checkpoint.ts'
import { sequenceAudit } from './chain/sequence.ts'
import { signTick } from './log/sign-tick.ts'
import { readAuditState } from './chain/store.ts'

/** The least time between ticks; each costs one signature and one flush to disk. */
const pause_ms = 1000

/** The checkpoint when a round found the log in order. With no entries and no other checkpoint since, a round has nothing to do. */
const lastCheckpoints = new WeakMap<Db, string | null>()

/**
 * One round of the worker: chains the new entries and, at most once a second, signs the state of all chains. False if nothing
 * has changed since the last round, which one statement tells.
 */
export async function advanceAudit(ctx: Context): Promise<boolean> {
  const { db, metrics } = ctx
  const { lag_seconds, is_unsigned, checkpoint } = await readAuditState(db)
  metrics.auditLag.set(lag_seconds ?? 0)
  if (lag_seconds === null && !is_unsigned && lastCheckpoints.get(db) === checkpoint) return false
  lastCheckpoints.delete(db)
  try {
    metrics.auditSequenced.inc(await sequenceAudit(ctx))
    await signTick({ ...ctx, pause_ms })
    await saveCheckpoint(ctx)
    metrics.auditBroken.set(0)
    lastCheckpoints.set(db, checkpoint)
    return true
  } catch (error) {
    if (error instanceof AuditTamperedError) metrics.auditBroken.set(1)
    throw error
  }
}
