import type { Context } from '../context.ts'
import { AuditTamperedError } from './audit-tampered-error.ts'
import { saveCheckpoint } from './log/save-checkpoint.ts'
import { sequenceAudit } from './chain/sequence.ts'
import { signTick } from './log/sign-tick.ts'
import { readLag } from './chain/store.ts'

/** The least time between ticks; each costs one signature and one flush to disk. */
const pause_ms = 1000

/** One round of the worker: chains the new entries and, at most once a second, signs the state of all chains. */
export async function advanceAudit(ctx: Context): Promise<void> {
  const { db, metrics } = ctx
  metrics.auditLag.set(await readLag(db))
  try {
    metrics.auditSequenced.inc(await sequenceAudit(ctx))
    await signTick({ ...ctx, pause_ms })
    await saveCheckpoint(ctx)
    metrics.auditBroken.set(0)
  } catch (error) {
    if (error instanceof AuditTamperedError) metrics.auditBroken.set(1)
    throw error
  }
}
