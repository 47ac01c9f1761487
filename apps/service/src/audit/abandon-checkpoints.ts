import { hashSpan, readCheckpoint, sameBytes, toHex } from '@vidimus/evidence'
import type { Context } from '../context.ts'
import type { Db } from '../platform/db/open.ts'
import type { AbandonedLog } from './abandoned-log.ts'
import { moveToAbandoned, readSavedCheckpoints } from './log/checkpoint-folder.ts'
import { readLastTick } from './log/log-store.ts'
import { openLog } from './log/open-log.ts'
import { readSubtrees } from './log/read-subtrees.ts'
import { insertRestoredEntries } from './restored-store.ts'

/**
 * Lets a restored log be continued although checkpoints in AUDIT_CHECKPOINT_DIR are of a longer one. An entry in every chain names
 * the newest of them, and they are moved to the folder `abandoned`, where `audit verify` still reads them. Undefined if the log
 * continues every checkpoint.
 */
export async function abandonCheckpoints(
  ctx: Pick<Context, 'config' | 'db' | 'keyring'>,
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<AbandonedLog | undefined> {
  const folder = ctx.config.AUDIT_CHECKPOINT_DIR
  if (folder === undefined) return undefined
  const continued_size = ((await readLastTick(ctx.db))?.index ?? -1) + 1
  const abandoned = await findAbandoned(ctx, folder, continued_size)
  const newest = abandoned[0]
  if (newest === undefined) return undefined

  const named = { abandoned_size: newest.size, abandoned_root: toHex(newest.root), continued_size }
  if (dryRun) return named
  await ctx.db.transaction((tx) => insertRestoredEntries(tx, named))
  // The latest is moved last: until then a repeated call finds it.
  for (const { file, size, root } of abandoned.toReversed())
    await moveToAbandoned(folder, file, `${size}-${toHex(root).slice(0, 16)}`)
  return named
}

type SavedCheckpoint = { file: string; size: number; root: Uint8Array }

/** The saved checkpoints that the log does not continue, newest first. */
async function findAbandoned(
  ctx: Pick<Context, 'config' | 'db' | 'keyring'>,
  folder: string,
  size: number,
): Promise<SavedCheckpoint[]> {
  const { key } = await openLog(ctx, ctx.db)
  const saved: SavedCheckpoint[] = []
  for (const { file, note } of await readSavedCheckpoints(folder)) {
    const signed = await readCheckpoint(note, key.publicKey)
    // A log that was restored to before its first signature has another key. Nothing of the old one can be checked any more.
    const checkpoint = signed ?? (size === 0 ? readUnchecked(note) : undefined)
    if (checkpoint !== undefined) saved.push({ file, ...checkpoint })
  }
  const abandoned: SavedCheckpoint[] = []
  for (const checkpoint of saved.toSorted((a, b) => b.size - a.size)) {
    if (checkpoint.size <= size && (await isContinued(ctx.db, checkpoint))) break
    abandoned.push(checkpoint)
  }
  return abandoned
}

async function isContinued(db: Db, { size, root }: SavedCheckpoint): Promise<boolean> {
  const span = { from: 0, to: size }
  return sameBytes(hashSpan(span, await readSubtrees(db, [span])), root)
}

function readUnchecked(note: string): { size: number; root: Uint8Array } | undefined {
  const [, size = '', root = ''] = note.split('\n')
  return /^\d{1,15}$/.test(size) ? { size: Number(size), root: Buffer.from(root, 'base64') } : undefined
}
