/** One measured figure. `ratio` compares it with a bare baseline in the same run, so that the speed of the machine cancels out. */
export type Figure = { name: string; value: number; unit: string; bare?: number; ratio?: number }

export type Bench = () => Promise<Figure[]>

/** Compares a figure with its baseline. */
export function compare(
  name: string,
  unit: string,
  { value, bare }: { value: number; bare: number },
): Figure {
  return { name, value: round(value), unit, bare: round(bare), ratio: round(value / bare) }
}

/** The median of several rounds, so that one slow round does not decide. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

export function round(value: number): number {
  return Number(value.toPrecision(4))
}
