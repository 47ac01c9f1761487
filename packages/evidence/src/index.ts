export { appendLeaf, keptHeights, type Frontier, type KeptNode } from './append-leaf.ts'
export { fromHex, sameBytes, toHex } from './bytes.ts'
export { canonicalize } from './canonicalize.ts'
export { startCheck, type Report } from './check.ts'
export { readCheckpoint, signCheckpoint } from './checkpoint.ts'
export { commitText, deriveSalt } from './commit-text.ts'
export {
  entryHash,
  firstLink,
  headContent,
  linkOf,
  textNames,
  type Entry,
  type TextName,
  type Texts,
} from './entry.ts'
export type { Hash } from './sha256.ts'
export { newHeadsMap, type HeadsMap } from './heads-map.ts'
export { mostAfter, writeLine, type Proof, type Seal } from './lines.ts'
export { signNote, verifierKeyOf, type SigningKey } from './note.ts'
export { readPublicKey, writePublicKey, type PublicKey } from './public-key.ts'
export { tickLeaf, type Tick } from './tick.ts'
export { textDays } from './track-texts.ts'
export {
  consistencySpans,
  hashSpan,
  inclusionSpans,
  joinComplete,
  joinPeaks,
  subtreesOf,
  treeOf,
  type HashOf,
  type Span,
  type Subtree,
} from './tree.ts'
export { verifyConsistency } from './verify-path.ts'
