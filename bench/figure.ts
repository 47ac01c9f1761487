/** One measured figure. `ratio` compares it with the bare engine doing the same in the same run: the machine cancels out. */
export type Figure = { name: string; value: number; unit: string; bare?: number; ratio?: number }

export type Bench = () => Promise<Figure[]>

/** A rate against the bare engine's. */
export function compare(
  name: string,
  unit: string,
  { value, bare }: { value: number; bare: number },
): Figure {
  return { name, value: round(value), unit, bare: round(bare), ratio: round(value / bare) }
}

/** Of several rounds the middle one: one slow round must not decide. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

export function round(value: number): number {
  return Number(value.toPrecision(4))
}
