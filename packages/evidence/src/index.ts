export { appendLeaf, storedHeightInterval, type Frontier, type StoredNode } from './append-leaf.ts'
export { fromHex, sameBytes, toHex } from './bytes.ts'
export { canonicalize } from './canonicalize.ts'
export { startCheck, type CheckReport } from './check.ts'
export { readCheckpoint, signCheckpoint } from './checkpoint.ts'
export { commitText, deriveSalt } from './commit-text.ts'
export {
  entryHash,
  firstLink,
  serializeHead,
  computeLink,
  textNames,
  type Entry,
  type TextName,
  type Texts,
} from './entry.ts'
export type { Hash } from './sha256.ts'
export { newHeadsMap, type HeadsMap } from './heads-map.ts'
export { maxEntriesAfter, writeExportLine, type Proof, type Seal } from './lines.ts'
export { signNote, toVerifierKey, type SigningKey } from './note.ts'
export { readPublicKey, writePublicKey, type PublicKey } from './public-key.ts'
export { hashTick, type Tick } from './tick.ts'
export { textRetention_days } from './track-texts.ts'
export {
  consistencySpans,
  hashSpan,
  inclusionSpans,
  joinSubtrees,
  joinPeaks,
  splitIntoSubtrees,
  buildTree,
  type HashSubtree,
  type Span,
  type Subtree,
} from './tree.ts'
export { verifyConsistency } from './verify-path.ts'
