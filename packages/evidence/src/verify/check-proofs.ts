import { fromHex, sameBytes, toBase64 } from '../bytes.ts'
import { readCheckpoint, type Checkpoint } from '../log/checkpoint.ts'
import { textsMatch } from '../chain/commit-text.ts'
import { entryHash, serializeHead, type Head } from '../chain/entry.ts'
import { leafHash, linkHash } from '../hash.ts'
import type { Hash } from '../sha256.ts'
import { verifyHead } from '../log/heads-map.ts'
import type { Continuation, Proof, Seal } from './export-lines.ts'
import type { PublicKey } from '../log/public-key.ts'
import { hashTick } from '../log/tick.ts'
import { verifyConsistency, verifyInclusion } from './verify-path.ts'

/** The service's public key and, if one was saved, an earlier checkpoint. */
export type CheckInputs = { publicKey: PublicKey; saved?: string | undefined }

const unsigned = 'the checkpoint is not signed by this key'

/** Checks that the head is the tenant's newest at the seal's checkpoint, and that this continues the saved checkpoint. */
export async function checkSeal(
  seal: Seal,
  head: Head | undefined,
  { publicKey, saved }: CheckInputs,
): Promise<string[]> {
  const checkpoint = await readCheckpoint(seal.checkpoint, publicKey)
  if (checkpoint === undefined) return [unsigned]
  if (head === undefined) return ['the seal has no entry before it']
  const headProof = { head, path: parseHashes(seal.heads_path), root: fromHex(seal.tick.heads.root) }
  const { size, root } = checkpoint
  // It must be the last tick: an old head was the newest in an earlier tick, which stays in the log.
  const inclusion = {
    index: size - 1,
    size,
    leaf: hashTick(seal.tick),
    path: parseHashes(seal.tick_path),
    root,
  }
  return [
    ...(verifyHead(headProof) ? [] : ["the last entry is not the tenant's newest in the signed tick"]),
    ...(verifyInclusion(inclusion) ? [] : ['the tick is not the last one in the signed checkpoint']),
    ...(await checkSince(seal, checkpoint, publicKey)),
    ...(saved === undefined ? [] : checkSaved(seal, checkpoint, await readCheckpoint(saved, publicKey))),
  ]
}

/** Checks that an entry is in the log of its checkpoint. */
export async function checkProof(proof: Proof, { publicKey, saved }: CheckInputs): Promise<string[]> {
  const checkpoint = await readCheckpoint(proof.checkpoint, publicKey)
  if (checkpoint === undefined) return [unsigned]
  const { entry, texts, tick } = proof
  const link = [entryHash(entry), ...parseHashes(proof.after)].reduce(linkHash, fromHex(proof.before))
  const head = { tenant_id: entry.tenant_id, seq: entry.seq + proof.after.length, link }
  const { size, root } = checkpoint
  const inTick = verifyInclusion({
    index: proof.new_heads_index,
    size: tick.new_heads.count,
    leaf: leafHash(serializeHead(head)),
    path: parseHashes(proof.new_heads_path),
    root: fromHex(tick.new_heads.root),
  })
  const path = parseHashes(proof.tick_path)
  const inLog = verifyInclusion({ index: proof.tick_index, size, leaf: hashTick(tick), path, root })
  return [
    ...(texts === undefined || textsMatch(entry, texts)
      ? []
      : ["the texts do not match the entry's commitments"]),
    ...(inTick ? [] : ['the entry does not lead to a new head of the tick']),
    ...(inLog ? [] : ['the tick is not in the signed checkpoint']),
    ...(saved === undefined ? [] : compareSaved(checkpoint, await readCheckpoint(saved, publicKey))),
  ]
}

/** Checks that the second checkpoint continues the first. */
export async function checkContinuation(
  { first, second, path }: Continuation,
  { publicKey }: CheckInputs,
): Promise<string[]> {
  const older = await readCheckpoint(first, publicKey)
  const newer = await readCheckpoint(second, publicKey)
  if (older === undefined || newer === undefined) return [unsigned]
  return isContinuation(older, newer, path) ? [] : ['the second checkpoint does not continue the first']
}

async function checkSince({ since }: Seal, checkpoint: Checkpoint, publicKey: PublicKey): Promise<string[]> {
  if (since === undefined) return []
  const earlier = await readCheckpoint(since.checkpoint, publicKey)
  const isValid = earlier !== undefined && isContinuation(earlier, checkpoint, since.path)
  return isValid ? [] : ['the checkpoint does not continue the earlier checkpoint in the seal']
}

function checkSaved({ since }: Seal, checkpoint: Checkpoint, saved: Checkpoint | undefined): string[] {
  const differences = compareSaved(checkpoint, saved)
  if (differences.length > 0 || saved === undefined || saved.size === checkpoint.size) return differences
  // checkSince verifies the signature and the proof; here it only has to be the saved checkpoint.
  const [origin, size, root] = since?.checkpoint.split('\n') ?? []
  const same = origin === saved.origin && size === String(saved.size) && root === toBase64(saved.root)
  return same ? [] : ['no proof that this continues the saved checkpoint: export again with that checkpoint']
}

function compareSaved(checkpoint: Checkpoint, saved: Checkpoint | undefined): string[] {
  if (saved === undefined) return ['the saved checkpoint is not signed by this key']
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
