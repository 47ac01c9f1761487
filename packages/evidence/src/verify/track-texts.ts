import type { Entry } from '../chain/entry.ts'

/** Texts are kept as long as the verifications they belong to (RET-1); later they may be gone without an erasure. */
export const textRetention_days = 400
const day_ms = 86_400_000

/** Neighbouring entries of one day whose texts are gone: a day's texts go together. */
type MissingRange = { first: number; last: number; at: string }

/**
 * Keeps account of texts that are gone. Each must be named by an erasure later in the chain, or be old enough; and what an
 * erasure names must be gone.
 */
export function trackTexts() {
  const gaps: MissingRange[] = []
  const erased = new Set<number>()
  const isGone = (seq: number) => findGap(gaps, seq) !== undefined

  return {
    gone({ seq, at }: Entry): void {
      const last = gaps.at(-1)
      if (last?.last === seq - 1 && last.at.slice(0, 10) === at.slice(0, 10)) {
        last.last = seq
        if (at > last.at) last.at = at
      } else {
        gaps.push({ first: seq, last: seq, at })
      }
    },
    erased(seq: number): void {
      erased.add(seq)
    },
    /** What does not add up at the signed time. */
    faults(signedAt: string): string[] {
      const oldest = new Date(Date.parse(signedAt) - textRetention_days * day_ms).toISOString()
      const missing = gaps
        .filter(({ at }) => at > oldest)
        .flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, place) => first + place))
        .filter((seq) => !erased.has(seq))
        .map((seq) => `entry ${seq}: its texts are missing, and no erasure names it`)
      const back = [...erased]
        .filter((seq) => !isGone(seq))
        .map((seq) => `entry ${seq}: an erasure names it, and its texts are there`)
      return [...missing, ...back]
    },
    count: () => gaps.reduce((sum, { first, last }) => sum + last - first + 1, 0),
  }
}

function findGap(gaps: readonly MissingRange[], seq: number): MissingRange | undefined {
  let [low, high] = [0, gaps.length - 1]
  while (low <= high) {
    const middle = Math.floor((low + high) / 2)
    const gap = gaps[middle]
    if (gap === undefined) return undefined
    if (seq < gap.first) high = middle - 1
    else if (seq > gap.last) low = middle + 1
    else return gap
  }
  return undefined
}
