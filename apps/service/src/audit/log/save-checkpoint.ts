import { hashSpan, readSignedCheckpoint, sameBytes } from '@vidimus/evidence'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { AuditTamperedError } from '../append.ts'
import { saveHourlyCheckpoint, readLatestCheckpoint, replaceLatestCheckpoint } from './checkpoint-folder.ts'
import { openLog, type AuditLog } from './open-log.ts'
import { readSubtrees } from './read-subtrees.ts'
import { readLastLeaf } from './log-store.ts'

/** The checkpoint that this process saved last, to skip unchanged ones. */
const lastSaved = new WeakMap<Db, string>()

/**
 * Copies the newest checkpoint to AUDIT_CHECKPOINT_DIR, which database administrators should not be able to write to:
 * as `latest.checkpoint`, and once an hour as a file that is never overwritten.
 */
export async function saveCheckpoint(ctx: Pick<Context, 'config' | 'keyring' | 'db'>): Promise<void> {
  const folder = ctx.config.AUDIT_CHECKPOINT_DIR
  if (folder === undefined) return
  const log = await openLog(ctx, ctx.db)
  const leaf = await readLastLeaf(ctx.db)
  if (leaf === undefined || log.checkpoint === undefined || log.checkpoint === lastSaved.get(ctx.db)) return

  const saved = await assertContinuesSaved(ctx.config, ctx.db, log)
  const checkpoint = await readSignedCheckpoint(log.checkpoint, log.keys)
  if ('fault' in checkpoint) throw new AuditTamperedError(`the checkpoint ${checkpoint.fault}`)
  // Another node may already have saved a newer checkpoint. One of the same size is newer if a later key signed it.
  if (saved.size < checkpoint.size || (saved.size === checkpoint.size && saved.key < checkpoint.key)) {
    await replaceLatestCheckpoint(folder, log.checkpoint)
    await saveHourlyCheckpoint(folder, leaf.at, log.checkpoint)
  }
  lastSaved.set(ctx.db, log.checkpoint)
}

/**
 * Throws unless the log in the database continues the saved checkpoint, and returns size and key of that checkpoint, 0 if there
 * is none. A log that does not continue it was truncated, altered, or restored from a backup.
 */
export async function assertContinuesSaved(
  { AUDIT_CHECKPOINT_DIR: folder }: Context['config'],
  db: Db,
  { keys }: AuditLog,
): Promise<{ size: number; key: number }> {
  const note = folder === undefined ? undefined : await readLatestCheckpoint(folder)
  if (note === undefined) return { size: 0, key: 0 }
  const checkpoint = await readSignedCheckpoint(note, keys)
  if ('fault' in checkpoint) throw new AuditTamperedError(`the saved checkpoint ${checkpoint.fault}`)
  const last = await readLastLeaf(db)
  if (last === undefined || checkpoint.size > last.index + 1)
    throw new AuditTamperedError('the audit log is shorter than the saved checkpoint')
  const span = { from: 0, to: checkpoint.size }
  const hashOf = await readSubtrees(db, [span])
  if (!sameBytes(hashSpan(span, hashOf), checkpoint.root))
    throw new AuditTamperedError('the audit log does not continue the saved checkpoint')
  return checkpoint
}
