import { hashSpan, readCheckpoint, sameBytes } from '@vidimus/evidence'
import type { Context } from '../../context.ts'
import type { Db } from '../../platform/db/open.ts'
import { AuditTamperedError } from '../audit-tampered-error.ts'
import { saveHourlyCheckpoint, readLatestCheckpoint, replaceLatestCheckpoint } from './checkpoint-folder.ts'
import { openLog, type AuditLog } from './open-log.ts'
import { readSubtrees } from './read-subtrees.ts'
import { readLastTick } from './log-store.ts'

/** What this process saved last, so that nothing is done while nothing is new. */
const saved = new WeakMap<Db, string>()

/**
 * Also writes the newest checkpoint to AUDIT_CHECKPOINT_DIR, out of reach of whoever can write to the database:
 * `latest.checkpoint`, and the first of every hour, which is never written again.
 */
export async function saveCheckpoint(ctx: Pick<Context, 'config' | 'keyring' | 'db'>): Promise<void> {
  const folder = ctx.config.AUDIT_CHECKPOINT_DIR
  if (folder === undefined) return
  const log = await openLog(ctx, ctx.db)
  const tick = await readLastTick(ctx.db)
  if (tick === undefined || log.checkpoint === undefined || log.checkpoint === saved.get(ctx.db)) return

  const before = await assertContinuesSaved(ctx.config, ctx.db, log)
  // Another node may have been faster; its checkpoint is the newer one then.
  if (before < ((await readCheckpoint(log.checkpoint, log.key.publicKey))?.size ?? 0)) {
    await replaceLatestCheckpoint(folder, log.checkpoint)
    await saveHourlyCheckpoint(folder, tick.at, log.checkpoint)
  }
  saved.set(ctx.db, log.checkpoint)
}

/**
 * Throws unless the log in the database continues the checkpoint that was saved outside; returns the size of that, 0 when
 * there is none. A log that does not was cut off, altered, or restored from a backup.
 */
export async function assertContinuesSaved(
  { AUDIT_CHECKPOINT_DIR: folder }: Context['config'],
  db: Db,
  { key: { publicKey } }: AuditLog,
): Promise<number> {
  const note = folder === undefined ? undefined : await readLatestCheckpoint(folder)
  if (note === undefined) return 0
  const checkpoint = await readCheckpoint(note, publicKey)
  if (checkpoint === undefined)
    throw new AuditTamperedError('the saved checkpoint is not signed by the key of this log')
  const last = await readLastTick(db)
  if (last === undefined || checkpoint.size > last.index + 1)
    throw new AuditTamperedError('the audit log is shorter than the saved checkpoint')
  const span = { from: 0, to: checkpoint.size }
  const hashOf = await readSubtrees(db, [span])
  if (!sameBytes(hashSpan(span, hashOf), checkpoint.root))
    throw new AuditTamperedError('the audit log does not continue the saved checkpoint')
  return checkpoint.size
}
