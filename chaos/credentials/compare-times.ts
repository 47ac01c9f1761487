/** Requests of one kind. `prepare` runs before the timer starts. */
export type TimedKind = { name: string; prepare: () => string }

export type TimeComparison = {
  median_ms: number
  kinds: {
    name: string
    /** Its median over the median of all kinds. */
    ratio: number
    /** Standard score of the rank-sum test against all other kinds together: beyond ±3.3 by chance once in a thousand. */
    z: number
  }[]
}

const warmUpRounds = 50

/**
 * Times `send` for each kind, `n` times, one request at a time and in random order within each round, so that other load on
 * the machine affects all kinds alike.
 */
export async function compareTimes(
  kinds: readonly TimedKind[],
  send: (prepared: string) => Promise<void>,
  n: number,
): Promise<TimeComparison> {
  const samples: { name: string; ms: number }[] = []
  for (let round = -warmUpRounds; round < n; round += 1) {
    for (const { name, prepare } of shuffled(kinds)) {
      const prepared = prepare()
      const start = performance.now()
      await send(prepared)
      if (round >= 0) samples.push({ name, ms: performance.now() - start })
    }
  }
  const ranked = samples.toSorted((a, b) => a.ms - b.ms)
  const median_ms = median(ranked)
  return {
    median_ms,
    kinds: kinds.map(({ name }) => ({
      name,
      ratio: median(ranked.filter((sample) => sample.name === name)) / median_ms,
      z: rankSumScore(ranked, name),
    })),
  }
}

export function describeTimes(name: string, { median_ms, kinds }: TimeComparison): string {
  const parts = kinds.map((kind) => `${kind.name} ${kind.ratio.toFixed(3)} (z ${kind.z.toFixed(1)})`)
  return `${name}: median ${median_ms.toFixed(3)} ms; ${parts.join(', ')}\n`
}

/** Mann-Whitney U test: the distance of one kind's rank sum from its expectation, in standard deviations. */
function rankSumScore(ranked: readonly { name: string }[], name: string): number {
  const own = ranked.reduce((count, sample) => count + (sample.name === name ? 1 : 0), 0)
  const others = ranked.length - own
  const ranks = ranked.reduce((sum, sample, index) => sum + (sample.name === name ? index + 1 : 0), 0)
  const expected = (own * (ranked.length + 1)) / 2
  return (ranks - expected) / Math.sqrt((own * others * (ranked.length + 1)) / 12)
}

function median(ranked: readonly { ms: number }[]): number {
  return ranked[Math.floor(ranked.length / 2)]?.ms ?? Number.NaN
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item)
}
