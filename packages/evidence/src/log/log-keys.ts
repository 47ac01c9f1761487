import { sameBytes, toBase64 } from '../bytes.ts'
import { readCheckpoint, type Checkpoint } from './checkpoint.ts'
import { readHandover, type Handover, type Position } from './handover.ts'
import type { PublicKey } from './public-key.ts'

/** One key of a log and the sizes that it signs: from the position at which it took over, to the one at which it was replaced. */
type LogKey = { publicKey: PublicKey; from?: Position | undefined; to?: Position | undefined }

/** All keys of a log, oldest first. `given` is the index of the key that the reader was given. */
export type LogKeys = { keys: readonly LogKey[]; given: number; origin: string | undefined }

/** What is wrong with something. */
export type Fault = { fault: string }

/**
 * The keys that lead from the given one to the one that signs now. Every handover must be there, in order, and be signed by the
 * key before it. So a key has one successor, and a reader who has any of the keys can check what the later ones sign.
 */
export async function readLogKeys(given: PublicKey, notes: readonly string[]): Promise<LogKeys | Fault> {
  const keys: LogKey[] = []
  let last: Handover | undefined
  for (const [index, note] of notes.entries()) {
    const handover = await readHandover(note)
    if (handover === undefined)
      return { fault: `handover ${index + 1} is not signed by both keys that it names` }
    if (handover.number !== index + 1 || (last !== undefined && !follows(handover, last)))
      return { fault: `handover ${index + 1} does not follow the one before it` }
    keys.push({ publicKey: handover.from, from: last, to: handover })
    last = handover
  }
  keys.push({ publicKey: last?.to ?? given, from: last })
  if (new Set(keys.map(({ publicKey }) => toBase64(publicKey))).size < keys.length)
    return { fault: 'a key was handed over twice' }
  const index = keys.findIndex(({ publicKey }) => sameBytes(publicKey, given))
  return index < 0
    ? { fault: 'the handovers do not lead from this key to the one that signed' }
    : { keys, given: index, origin: last?.origin }
}

export type SignedCheckpoint = Checkpoint & { key: number }

/** Reads a checkpoint that a key of the log has signed within its sizes, and says which key it was. */
export async function readSignedCheckpoint(
  note: string,
  { keys, origin }: LogKeys,
): Promise<SignedCheckpoint | Fault> {
  let found: Fault = { fault: "is not signed with this log's key" }
  for (const [index, key] of [...keys.entries()].toReversed()) {
    const checkpoint = await readCheckpoint(note, key.publicKey)
    if (checkpoint === undefined) continue
    const fault = findFault(checkpoint, key, origin)
    if (fault === undefined) return { ...checkpoint, key: index }
    found = { fault }
  }
  return found
}

function follows(handover: Handover, last: Handover): boolean {
  const sameLog = handover.origin === last.origin && sameBytes(handover.from, last.to)
  return sameLog && handover.size >= last.size && !isForked(handover, last)
}

function findFault(
  checkpoint: Checkpoint,
  { from, to }: LogKey,
  origin: string | undefined,
): string | undefined {
  if (origin !== undefined && checkpoint.origin !== origin)
    return `belongs to another log, ${checkpoint.origin}`
  if (to !== undefined && checkpoint.size > to.size)
    return `is signed by a key that was replaced at size ${to.size}`
  if (from !== undefined && checkpoint.size < from.size)
    return `is signed by a key that took over at size ${from.size}`
  const forked = [from, to].some((position) => position !== undefined && isForked(checkpoint, position))
  return forked ? 'has another root than the handover at its size: the log was forked' : undefined
}

function isForked(one: Position, other: Position): boolean {
  return one.size === other.size && !sameBytes(one.root, other.root)
}
