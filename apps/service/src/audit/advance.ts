import type { Context } from '../context.ts'
import { AuditTamperedError } from './audit-tampered-error.ts'
import { saveCheckpoint } from './log/save-checkpoint.ts'
import { sequenceAudit } from './chain/sequence.ts'
import { signTick } from './log/sign-tick.ts'
import { readLag } from './chain/store.ts'

/** Ticks of a busy cell are this far apart: one signature and one flush to the disk each. */
const pause_ms = 1000

/** A round of the worker: chains what came in and, once a second at most, signs how the chains stand. */
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
