import type { Entry } from '../chain/entry.ts'

/** Texts are kept as long as the verifications they belong to (RET-1). After that they may be missing without an erasure. */
export const textRetention_days = 400
const day_ms = 86_400_000

/** Adjacent entries of one day whose texts are missing; the texts of a day expire together. */
type MissingRange = { first: number; last: number; at: string }

/**
 * Tracks missing texts. Each must be named by a later erasure or have expired; and the texts that an erasure names must be
 * missing.
 */
export function trackTexts() {
  const ranges: MissingRange[] = []
  const erased = new Set<number>()
  let erasedBefore = 0
  const isMissing = (seq: number) => findRange(ranges, seq) !== undefined

  return {
    addMissing({ seq, at }: Entry): void {
      const last = ranges.at(-1)
      if (last?.last === seq - 1 && last.at.slice(0, 10) === at.slice(0, 10)) {
        last.last = seq
        if (at > last.at) last.at = at
      } else {
        ranges.push({ first: seq, last: seq, at })
      }
    },
    addErased(seq: number): void {
      erased.add(seq)
    },
    /** The tenant was deleted: so were the texts of all entries before this one. */
    addErasedBefore(seq: number): void {
      erasedBefore = seq
    },
    /** The faults as of the signed time. */
    faults(signedAt: string): string[] {
      const expiry = new Date(Date.parse(signedAt) - textRetention_days * day_ms).toISOString()
      const missing = ranges
        .filter(({ at }) => at > expiry)
        .flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, offset) => first + offset))
        .filter((seq) => seq >= erasedBefore && !erased.has(seq))
        .map((seq) => `entry ${seq}: its texts are missing, and no erasure names it`)
      const restored = [...erased]
        .filter((seq) => !isMissing(seq))
        .map((seq) => `entry ${seq}: its texts are present although an erasure names it`)
      return [...missing, ...restored]
    },
    count: () => ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0),
  }
}

function findRange(ranges: readonly MissingRange[], seq: number): MissingRange | undefined {
  let [low, high] = [0, ranges.length - 1]
  while (low <= high) {
    const middle = Math.floor((low + high) / 2)
    const range = ranges[middle]
    if (range === undefined) return undefined
    if (seq < range.first) high = middle - 1
    else if (seq > range.last) low = middle + 1
    else return range
  }
  return undefined
}
