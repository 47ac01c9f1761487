export { appendLeaf, storedHeightInterval, type Frontier, type StoredNode } from './log/append-leaf.ts'
export { fromHex, sameBytes, toHex } from './bytes.ts'
export { canonicalize } from './canonicalize.ts'
export { startCheck, type CheckReport } from './verify/check.ts'
export { checkReceipt, readReceipts, type ReceiptBody, type ReceiptReport } from './verify/check-receipt.ts'
export { readCheckpoint, signCheckpoint } from './log/checkpoint.ts'
export { commitText, deriveSalt } from './chain/commit-text.ts'
export {
  entryHash,
  firstLink,
  serializeHead,
  computeLink,
  textNames,
  type Entry,
  type TextName,
  type Texts,
} from './chain/entry.ts'
export type { Hash } from './sha256.ts'
export { maxHandovers, readHandover, signHandover } from './log/handover.ts'
export { readLogKeys, readSignedCheckpoint, type LogKeys } from './log/log-keys.ts'
export { newHeadsMap, type HeadsMap } from './log/heads-map.ts'
export { maxEntriesAfter, writeExportLine, type Proof, type Seal } from './verify/export-lines.ts'
export { signNote, toVerifierKey, type SigningKey } from './log/note.ts'
export { readPublicKey, writePublicKey, type PublicKey } from './log/public-key.ts'
export { hashLogLeaf, type LogLeaf } from './log/leaf.ts'
export { textRetention_days } from './verify/track-texts.ts'
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
} from './log/tree.ts'
export { verifyConsistency } from './verify/verify-path.ts'
