import type { Context } from '../context.ts'
import type { Db } from '../platform/db/open.ts'
import { AuditTamperedError } from './audit-tampered-error.ts'
import { saveCheckpoint } from './log/save-checkpoint.ts'
import { sequenceAudit } from './chain/sequence.ts'
import { signTick } from './log/sign-tick.ts'
import { readAuditState } from './chain/store.ts'

/** The least time between ticks; each costs one signature and one flush to disk. */
const pause_ms = 1000

/** The last tick when a round found the log in order. With no entries and no other tick since, a round has nothing to do. */
const lastTicks = new WeakMap<Db, number | null>()

/**
 * One round of the worker: chains the new entries and, at most once a second, signs the state of all chains. False if nothing
 * has changed since the last round, which one statement tells.
 */
export async function advanceAudit(ctx: Context): Promise<boolean> {
  const { db, metrics } = ctx
  const { lag_seconds, is_unsigned, last_tick } = await readAuditState(db)
  metrics.auditLag.set(lag_seconds ?? 0)
  if (lag_seconds === null && !is_unsigned && lastTicks.get(db) === last_tick) return false
  lastTicks.delete(db)
  try {
    metrics.auditSequenced.inc(await sequenceAudit(ctx))
    await signTick({ ...ctx, pause_ms })
    await saveCheckpoint(ctx)
    metrics.auditBroken.set(0)
    lastTicks.set(db, last_tick)
    return true
  } catch (error) {
    if (error instanceof AuditTamperedError) metrics.auditBroken.set(1)
    throw error
  }
}
