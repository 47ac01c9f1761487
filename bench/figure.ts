/**
 * One measured figure: the median of its rounds, and the lowest and the highest of them. `ratio` compares it with a bare
 * baseline in the same run, so that the speed of the machine cancels out.
 */
export type Figure = {
  name: string
  value: number
  unit: string
  spread?: Spread
  bare?: number
  bare_spread?: Spread
  ratio?: number
  /** The lowest and the highest ratio of a round to the baseline's round beside it. */
  ratio_spread?: Spread
}

export type Spread = [lowest: number, highest: number]

export type Bench = () => Promise<Figure[]>

/** The median and the spread of several rounds. */
export function summarize(name: string, unit: string, values: readonly number[]): Figure {
  return { name, value: round(median(values)), unit, spread: spread(values) }
}

/** Compares the rounds of a figure with the rounds of its baseline. */
export function compare(
  name: string,
  unit: string,
  { values, bare }: { values: readonly number[]; bare: readonly number[] },
): Figure {
  return {
    ...summarize(name, unit, values),
    bare: round(median(bare)),
    bare_spread: spread(bare),
    ratio: round(median(values) / median(bare)),
    ratio_spread: spread(values.map((value, index) => value / (bare[index] ?? Number.NaN))),
  }
}

/** The median of several rounds, so that one slow round does not decide. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

export function round(value: number): number {
  return Number(value.toPrecision(4))
}

function spread(values: readonly number[]): Spread {
  return [round(Math.min(...values)), round(Math.max(...values))]
}
