import {
  joinPeaks,
  maxHandovers,
  readSignedCheckpoint,
  signCheckpoint,
  signHandover,
  type SigningKey,
} from '@vidimus/evidence'
import type { Context } from '../../engine/context.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { AuditTamperedError, type RecordOperation } from '../append.ts'
import { beginSnapshot } from '../chain/history-store.ts'
import { type AuditLog, newSealedKey, openLog, readLogState } from './open-log.ts'
import { replaceKey } from './log-store.ts'
import { saveCheckpoint } from './save-checkpoint.ts'

/** A leaf that is signed between reading the log and replacing its key makes another attempt necessary. An attempt takes milliseconds. */
const maxAttempts = 50
/** The base64 characters of a signature that the key's id determines alone. */
const keyIdCharacters = 5

type Ctx = Pick<Context, 'config' | 'db' | 'keyring'>

/** The new key is the `number`-th successor of the log's first one, and signs checkpoints from `size` on. */
export type RotatedKey = { number: number; size: number }

/**
 * Replaces the key that signs the log. The old key and the new one sign a handover, which is stored with the new key in one transaction: after
 * a crash there is either the old key or the new one with its handover. A checkpoint that another process signs with the old key
 * meanwhile is stored before that transaction, or not at all.
 */
export async function rotateAuditKey(ctx: Ctx, record?: RecordOperation): Promise<RotatedKey> {
  // Creates the log of a new cell, which a snapshot cannot do.
  const { length: earlier } = (await openLog(ctx, ctx.db)).handovers
  // A log that was altered is not handed over.
  await ctx.db.transaction(async (tx) => {
    await beginSnapshot(tx)
    await readLogState(ctx, tx)
  })
  await saveCheckpoint(ctx)
  if (earlier >= maxHandovers)
    throw new Refusal('invalid_request', `The key was replaced ${earlier} times. That is the most.`)
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const log = await openLog(ctx, ctx.db)
    if (log.handovers.length > earlier)
      throw new Refusal(
        'invalid_request',
        'Another process replaced the key at the same time. This one did nothing.',
      )
    const rotated = await handOver(ctx, log, record)
    if (rotated !== undefined) {
      await saveCheckpoint(ctx)
      return rotated
    }
  }
  throw new Refusal('overloaded', 'The audit log was signed at every attempt. Try again.')
}

/** Undefined if the log has changed since it was read. */
async function handOver(
  { db, keyring }: Ctx,
  log: AuditLog,
  record: RecordOperation | undefined,
): Promise<RotatedKey | undefined> {
  const { key, sealed_key } = newSealedKey(keyring, log.key.name)
  const position = await readPosition(log)
  const number = log.handovers.length + 1
  const note = signHandover({ number, ...position }, log.key, key)
  const replacement = {
    before: { sealed_key: log.sealed_key, checkpoint: log.checkpoint ?? null },
    sealed_key,
    // Signed again, so that the newest checkpoint is always signed with the current key.
    checkpoint: log.checkpoint === undefined ? null : signCheckpoint(position, key),
    signature_start: beginningOfSignatures(note, key),
    number,
    note,
  }
  const replaced = await db.transaction(async (tx) => {
    if (!(await replaceKey(tx, replacement))) return false
    await record?.(tx, { number, size: position.size })
    return true
  })
  return replaced ? { number, size: position.size } : undefined
}

async function readPosition({ checkpoint: note, keys }: AuditLog) {
  if (note === undefined) return { size: 0, root: joinPeaks([]) }
  const checkpoint = await readSignedCheckpoint(note, keys)
  if ('fault' in checkpoint) throw new AuditTamperedError(`the checkpoint ${checkpoint.fault}`)
  return { size: checkpoint.size, root: checkpoint.root }
}

/** The last signature of a handover is that of the new key. */
function beginningOfSignatures(handover: string, { name }: SigningKey): string {
  const line = handover.trimEnd().split('\n').at(-1) ?? ''
  return line.slice(0, `— ${name} `.length + keyIdCharacters)
}
