import { fromHex, sameBytes, toBase64 } from '../bytes.ts'
import type { Checkpoint } from '../log/checkpoint.ts'
import { readLogKeys, readSignedCheckpoint, type Fault, type LogKeys } from '../log/log-keys.ts'
import { textsMatch } from '../chain/commit-text.ts'
import { entryHash, serializeHead, type Head } from '../chain/entry.ts'
import { leafHash, linkHash } from '../hash.ts'
import type { Hash } from '../sha256.ts'
import { verifyHead } from '../log/heads-map.ts'
import type { Continuation, Proof, Seal } from './export-lines.ts'
import type { PublicKey } from '../log/public-key.ts'
import { hashLogLeaf } from '../log/leaf.ts'
import { verifyConsistency, verifyInclusion } from './verify-path.ts'

/** The log's public key, or any earlier one of it, and, if one was saved, an earlier checkpoint. */
export type CheckInputs = {
  publicKey: PublicKey
  saved?: string | undefined
  /** Handovers that are known otherwise. A file that was made before the last of them has fewer. */
  handovers?: readonly string[] | undefined
}

/** Checks that the head is the tenant's newest at the seal's checkpoint, and that this continues the saved checkpoint. */
export async function checkSeal(seal: Seal, head: Head | undefined, inputs: CheckInputs): Promise<string[]> {
  const log = await readKeys(seal, inputs)
  if ('fault' in log) return [log.fault]
  const checkpoint = await readNewest(seal.checkpoint, log)
  if ('fault' in checkpoint) return [`the checkpoint ${checkpoint.fault}`]
  if (head === undefined) return ['the seal has no entry before it']
  const headProof = { head, path: parseHashes(seal.heads_path), root: fromHex(seal.leaf.heads.root) }
  const { size, root } = checkpoint
  // It must be the last leaf: an old head was the newest in an earlier leaf, which stays in the log.
  const inclusion = {
    index: size - 1,
    size,
    leaf: hashLogLeaf(seal.leaf),
    path: parseHashes(seal.leaf_path),
    root,
  }
  return [
    ...(verifyHead(headProof) ? [] : ["the last entry is not the tenant's newest in the signed leaf"]),
    ...(verifyInclusion(inclusion) ? [] : ['the leaf is not the last one in the signed checkpoint']),
    ...(await checkSince(seal, checkpoint, log)),
    ...(await checkSaved(inputs, log, (saved) => checkSealContinues(seal, checkpoint, saved))),
  ]
}

/** Checks that an entry is in the log of its checkpoint. */
export async function checkProof(proof: Proof, inputs: CheckInputs): Promise<string[]> {
  const log = await readKeys(proof, inputs)
  if ('fault' in log) return [log.fault]
  const checkpoint = await readNewest(proof.checkpoint, log)
  if ('fault' in checkpoint) return [`the checkpoint ${checkpoint.fault}`]
  const { entry, texts, leaf } = proof
  const link = [entryHash(entry), ...parseHashes(proof.after)].reduce(linkHash, fromHex(proof.before))
  const head = { tenant_id: entry.tenant_id, seq: entry.seq + proof.after.length, link }
  const { size, root } = checkpoint
  const inLeaf = verifyInclusion({
    index: proof.new_heads_index,
    size: leaf.new_heads.count,
    leaf: leafHash(serializeHead(head)),
    path: parseHashes(proof.new_heads_path),
    root: fromHex(leaf.new_heads.root),
  })
  const path = parseHashes(proof.leaf_path)
  const inLog = verifyInclusion({ index: proof.leaf_index, size, leaf: hashLogLeaf(leaf), path, root })
  return [
    ...(texts === undefined || textsMatch(entry, texts)
      ? []
      : ["the texts do not match the entry's commitments"]),
    ...(inLeaf ? [] : ['the entry does not lead to a new head of the leaf']),
    ...(inLog ? [] : ['the leaf is not in the signed checkpoint']),
    ...(await checkSaved(inputs, log, (saved) => compareSaved(checkpoint, saved))),
  ]
}

/** Checks that the second checkpoint continues the first. */
export async function checkContinuation(continuation: Continuation, inputs: CheckInputs): Promise<string[]> {
  const log = await readKeys(continuation, inputs)
  if ('fault' in log) return [log.fault]
  const older = await readSignedCheckpoint(continuation.first, log)
  if ('fault' in older) return [`the first checkpoint ${older.fault}`]
  const newer = await readNewest(continuation.second, log)
  if ('fault' in newer) return [`the second checkpoint ${newer.fault}`]
  return isContinuation(older, newer, continuation.path)
    ? []
    : ['the second checkpoint does not continue the first']
}

/** Of the handovers in the file and those known otherwise, one list begins with the other: a key has only one successor. */
async function readKeys(
  { handovers: found = [] }: { handovers?: readonly string[] | undefined },
  { publicKey, handovers: known = [] }: CheckInputs,
): Promise<LogKeys | Fault> {
  const [shorter, longer] = found.length < known.length ? [found, known] : [known, found]
  if (shorter.some((note, index) => note !== longer[index]))
    return { fault: 'the file has other handovers than the ones that are known: the log was forked' }
  return readLogKeys(publicKey, longer)
}

/** Reads the checkpoint that makes a file valid. An earlier key than the given one may have been replaced because it leaked. */
async function readNewest(note: string, log: LogKeys): Promise<Checkpoint | Fault> {
  const checkpoint = await readSignedCheckpoint(note, log)
  if ('fault' in checkpoint || checkpoint.key >= log.given) return checkpoint
  return { fault: 'is signed by an earlier key than this one' }
}

async function checkSince({ since }: Seal, checkpoint: Checkpoint, log: LogKeys): Promise<string[]> {
  if (since === undefined) return []
  const earlier = await readSignedCheckpoint(since.checkpoint, log)
  const isValid = !('fault' in earlier) && isContinuation(earlier, checkpoint, since.path)
  return isValid ? [] : ['the checkpoint does not continue the earlier checkpoint in the seal']
}

/** The reader has kept the saved checkpoint, so any key of the log may have signed it: it can only add a condition. */
async function checkSaved(
  { saved: note }: CheckInputs,
  log: LogKeys,
  compare: (saved: Checkpoint) => string[],
): Promise<string[]> {
  if (note === undefined) return []
  const saved = await readSignedCheckpoint(note, log)
  return 'fault' in saved ? [`the saved checkpoint ${saved.fault}`] : compare(saved)
}

function checkSealContinues({ since }: Seal, checkpoint: Checkpoint, saved: Checkpoint): string[] {
  const differences = compareSaved(checkpoint, saved)
  if (differences.length > 0 || saved.size === checkpoint.size) return differences
  // checkSince verifies the signature and the proof; here it only has to be the saved checkpoint.
  const [origin, size, root] = since?.checkpoint.split('\n') ?? []
  const same = origin === saved.origin && size === String(saved.size) && root === toBase64(saved.root)
  return same ? [] : ['no proof that this continues the saved checkpoint: export again with that checkpoint']
}

function compareSaved(checkpoint: Checkpoint, saved: Checkpoint): string[] {
  if (saved.origin !== checkpoint.origin)
    return [`the saved checkpoint belongs to another log, ${saved.origin}`]
  if (saved.size > checkpoint.size)
    return ['older than the saved checkpoint: its end was cut off, or it was made earlier']
  const forked = saved.size === checkpoint.size && !sameBytes(saved.root, checkpoint.root)
  return forked ? ['the saved checkpoint has the same size but a different root: the log was forked'] : []
}

function isContinuation(first: Checkpoint, second: Checkpoint, path: readonly string[]): boolean {
  return first.origin === second.origin && verifyConsistency({ first, second, path: parseHashes(path) })
}

function parseHashes(path: readonly string[]): Hash[] {
  return path.map(fromHex)
}
