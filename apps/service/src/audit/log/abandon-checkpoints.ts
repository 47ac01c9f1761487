import { hashSpan, readSignedCheckpoint, sameBytes, toHex, toVerifierKey } from '@vidimus/evidence'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { moveToAbandoned, readSavedCheckpoints } from './checkpoint-folder.ts'
import { type AbandonedLog, insertRestoredEntries, readLastLeaf } from './log-store.ts'
import { openLog, type AuditLog } from './open-log.ts'
import { readSubtrees } from './read-subtrees.ts'
import { installationChain } from '../append.ts'

/**
 * Lets a restored log be continued although checkpoints in AUDIT_CHECKPOINT_DIR are of a longer one. An entry in every chain names
 * the newest of them, and they are moved to the folder `abandoned`, where `admin audit verify` still reads them. Undefined if the log
 * continues every checkpoint.
 */
export async function abandonCheckpoints(
  ctx: Pick<Context, 'config' | 'db' | 'keyring'>,
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<AbandonedLog | undefined> {
  const folder = ctx.config.AUDIT_CHECKPOINT_DIR
  if (folder === undefined) return undefined
  const continued_size = ((await readLastLeaf(ctx.db))?.index ?? -1) + 1
  const abandoned = await findAbandoned(ctx, folder, continued_size)
  const newest = abandoned[0]
  if (newest === undefined) return undefined

  const named = { abandoned_size: newest.size, abandoned_root: toHex(newest.root), continued_size }
  if (dryRun) return named
  await ctx.db.transaction((tx) => insertRestoredEntries(tx, named, installationChain))
  // The newest is moved last: until then a repeated call finds it.
  for (const { file, size, root } of abandoned.toReversed())
    await moveToAbandoned(folder, file, `${size}-${toHex(root).slice(0, 16)}`)
  return named
}

/** `lostKey` says that the log does not have the key that signed it. */
type SavedCheckpoint = { file: string; size: number; root: Uint8Array; lostKey: boolean }

/** The saved checkpoints that the log does not continue, newest first. */
async function findAbandoned(
  ctx: Pick<Context, 'config' | 'db' | 'keyring'>,
  folder: string,
  size: number,
): Promise<SavedCheckpoint[]> {
  const log = await openLog(ctx, ctx.db)
  const saved: SavedCheckpoint[] = []
  for (const { file, note } of await readSavedCheckpoints(folder)) {
    const signed = await readSignedCheckpoint(note, log.keys)
    // A log that was restored to before its first signature, or to before its key was replaced, does not have the key of the lost one: the
    // signature cannot be checked any more.
    const lostKey = size === 0 || hasLostKey(note, log)
    const checkpoint = 'fault' in signed ? (lostKey ? readUnchecked(note) : undefined) : signed
    if (checkpoint !== undefined) saved.push({ file, ...checkpoint, lostKey: 'fault' in signed })
  }
  const abandoned = saved.filter(({ lostKey }) => lostKey)
  const known = saved.filter(({ lostKey }) => !lostKey)
  for (const checkpoint of known.toSorted((a, b) => b.size - a.size)) {
    // Every checkpoint before one that is continued is continued too.
    if (checkpoint.size <= size && (await isContinued(ctx.db, checkpoint))) break
    abandoned.push(checkpoint)
  }
  return abandoned.toSorted((a, b) => b.size - a.size)
}

/** Whether a key that the log does not have signed a checkpoint of this log. One that its own keys signed wrongly is not abandoned. */
function hasLostKey(note: string, { key, keys }: AuditLog): boolean {
  const prefix = `— ${key.name} `
  const own = keys.keys.map(({ publicKey }) => toVerifierKey(key.name, publicKey).split('+').at(-2))
  const signers = note
    .split('\n')
    .filter((line) => line.startsWith(prefix))
    .map((line) => Buffer.from(line.slice(prefix.length), 'base64').toString('hex', 0, 4))
  return note.startsWith(`${key.name}\n`) && signers.length > 0 && !signers.some((id) => own.includes(id))
}

async function isContinued(db: Db, { size, root }: SavedCheckpoint): Promise<boolean> {
  const span = { from: 0, to: size }
  return sameBytes(hashSpan(span, await readSubtrees(db, [span])), root)
}

function readUnchecked(note: string): { size: number; root: Uint8Array } | undefined {
  const [, size = '', root = ''] = note.split('\n')
  return /^\d{1,15}$/.test(size) ? { size: Number(size), root: Buffer.from(root, 'base64') } : undefined
}
