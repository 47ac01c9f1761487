import { LedgerUnusableError } from '../errors.ts'
import type { StoredEntry } from '../ledger.ts'
import { isHeader, parseLine } from './lines.ts'
import type { LedgerStorage } from './folder-storage.ts'

/** An entry with its place in the file, and how its transaction ended as far as the file says. */
export type TailEntry = StoredEntry & { offset: number; outcome: 'committed' | 'rolled_back' | undefined }

/** The end of a file, from an offset on. */
export type Tail = {
  entries: Map<number, TailEntry>
  /** The position below which nothing more is written. */
  floor: number
  /** Where the last complete line ends. */
  end_bytes: number
}

/**
 * Reads the lines of a file from an offset on. What a crash left unfinished at its end is ignored. Throws LedgerUnusableError if a
 * line before others cannot be read.
 */
export async function readTail(storage: LedgerStorage, ledger: string, from: number): Promise<Tail> {
  const tail: Tail = { entries: new Map(), floor: 0, end_bytes: from }
  for (const { text, offset, end } of splitLines(await storage.read(ledger, from), from)) {
    const parsed = offset === 0 ? undefined : parseLine(text)
    if (offset === 0 ? !isHeader(text, ledger) : parsed === undefined) continue
    if (tail.end_bytes !== offset)
      throw new LedgerUnusableError(
        `${ledger} of the erasure ledger is damaged at byte ${tail.end_bytes}. Restore the file from a copy.`,
      )
    tail.end_bytes = end
    if (parsed?.line === 'entry') {
      const { line: _, ...entry } = parsed
      tail.entries.set(entry.position, { ...entry, ledger, offset, outcome: undefined })
    } else if (parsed?.line === 'committed' || parsed?.line === 'rolled_back') {
      tail.floor = Math.max(tail.floor, parsed.floor)
      for (const position of parsed.positions) {
        const entry = tail.entries.get(position)
        if (entry !== undefined) entry.outcome = parsed.line
      }
    }
  }
  return tail
}

/** The complete lines of a buffer that was read at `from`. */
export function* splitLines(
  bytes: Buffer,
  from: number,
): Generator<{ text: string; offset: number; end: number }> {
  let start = 0
  for (;;) {
    const end = bytes.indexOf(0x0a, start)
    if (end < 0) return
    yield { text: bytes.toString('utf8', start, end), offset: from + start, end: from + end + 1 }
    start = end + 1
  }
}
