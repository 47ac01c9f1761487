import { z } from 'zod'
import { canonicalize } from '../canonicalize.ts'
import { Entry, hexHash, Texts } from '../chain/entry-schema.ts'
import { Tick } from '../log/tick.ts'

/** The longest path in a tree of 2^53 leaves, and the longest in the tree of heads. */
const path = z.array(hexHash).max(256)
/** The most entries that follow an entry within its tick and are passed over in its proof. */
export const maxEntriesAfter = 100_000

/** One entry with its link in the chain, and its texts unless they are gone. */
const EntryLine = z.strictObject({ entry: Entry, link: hexHash, texts: Texts.optional() })

/** The end of an export: shows that the last entry is the tenant's newest at a signed checkpoint. */
export const Seal = z.strictObject({
  checkpoint: z.string(),
  tick: Tick,
  heads_path: path,
  tick_path: path,
  /** An earlier checkpoint, and the proof that this one continues it. */
  since: z.strictObject({ checkpoint: z.string(), path }).optional(),
})
export type Seal = z.infer<typeof Seal>

/** Shows one entry to be in the log, and nothing else of its chain. */
export const Proof = z.strictObject({
  entry: Entry,
  texts: Texts.optional(),
  before: hexHash,
  after: z.array(hexHash).max(maxEntriesAfter),
  new_heads_index: z.int().min(0),
  new_heads_path: path,
  tick: Tick,
  tick_index: z.int().min(0),
  tick_path: path,
  checkpoint: z.string(),
})
export type Proof = z.infer<typeof Proof>

/** Shows that one checkpoint continues another. */
const Continuation = z.strictObject({ first: z.string(), second: z.string(), path })
export type Continuation = z.infer<typeof Continuation>

const ExportLine = z.union([
  EntryLine,
  z.strictObject({ seal: Seal }),
  z.strictObject({ proof: Proof }),
  z.strictObject({ continuation: Continuation }),
])
export type ExportLine = z.infer<typeof ExportLine>

/** One line, without the line feed at its end. */
export function writeExportLine(line: ExportLine): string {
  return canonicalize(line)
}

/**
 * The canonical text of an entry, out of that of its line, so that it need not be written anew to be hashed. In a string a quote has a backslash
 * before it, and the texts have no member of that name: so this is the line's own link.
 */
export function sliceEntryText(line: string): string {
  return line.slice('{"entry":'.length, line.lastIndexOf(',"link":"'))
}

/** Reads one line. It must be in the canonical form, so that there is one way to write it and readers cannot differ. */
export function readExportLine(text: string): ExportLine | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return canonicalize(value) === text ? ExportLine.parse(value) : undefined
  } catch {
    // No JSON, or none of the lines above: both are told as unreadable.
    return undefined
  }
}
