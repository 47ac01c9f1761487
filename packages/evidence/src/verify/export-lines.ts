import { z } from 'zod'
import { canonicalize } from '../canonicalize.ts'
import { Entry, hexHash, Texts } from '../chain/entry-schema.ts'
import { maxHandovers } from '../log/handover.ts'
import { LogLeaf } from '../log/leaf.ts'

/** Long enough for any path: at most 53 hashes in the log, and 256 in the tree of heads. */
const path = z.array(hexHash).max(256)
/** The most later entries of the same leaf that a proof may skip. */
export const maxEntriesAfter = 100_000

/** The handovers of the log's key up to the one that signed, oldest first; absent while the log has its first key. */
const handovers = z.array(z.string()).min(1).max(maxHandovers).optional()

/** One entry with its link and those texts that still exist. */
const EntryLine = z.strictObject({ entry: Entry, link: hexHash, texts: Texts.optional() })

/** The end of an export: proves that the last entry is the tenant's newest at a signed checkpoint. */
export const Seal = z.strictObject({
  checkpoint: z.string(),
  leaf: LogLeaf,
  heads_path: path,
  leaf_path: path,
  /** An earlier checkpoint, and the proof that this one continues it. */
  since: z.strictObject({ checkpoint: z.string(), path }).optional(),
  handovers,
})
export type Seal = z.infer<typeof Seal>

/** Proves that one entry is in the log, without revealing the rest of its chain. */
export const Proof = z.strictObject({
  entry: Entry,
  texts: Texts.optional(),
  before: hexHash,
  after: z.array(hexHash).max(maxEntriesAfter),
  new_heads_index: z.int().min(0),
  new_heads_path: path,
  leaf: LogLeaf,
  leaf_index: z.int().min(0),
  leaf_path: path,
  checkpoint: z.string(),
  handovers,
})
export type Proof = z.infer<typeof Proof>

/** Proves that one checkpoint continues another. */
const Continuation = z.strictObject({ first: z.string(), second: z.string(), path, handovers })
export type Continuation = z.infer<typeof Continuation>

const ExportLine = z.union([
  EntryLine,
  z.strictObject({ seal: Seal }),
  z.strictObject({ proof: Proof }),
  z.strictObject({ continuation: Continuation }),
])
export type ExportLine = z.infer<typeof ExportLine>

/** Returns one line without its line feed. */
export function writeExportLine(line: ExportLine): string {
  return canonicalize(line)
}

/**
 * Cuts the canonical text of an entry out of its line, so that it need not be serialised again to be hashed. Quotes inside
 * strings are escaped, and the texts have no member `link`, so the last match is the line's own link.
 */
export function sliceEntryText(line: string): string {
  return line.slice('{"entry":'.length, line.lastIndexOf(',"link":"'))
}

/** Reads one line. Only the canonical form is accepted, so that no two readers interpret it differently. */
export function readExportLine(text: string): ExportLine | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return canonicalize(value) === text ? ExportLine.parse(value) : undefined
  } catch {
    // Not JSON, or not one of the lines above: both are reported as malformed.
    return undefined
  }
}
