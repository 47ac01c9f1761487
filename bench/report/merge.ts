import { median, round, type Figure, type Spread } from '../figure.ts'

/** Reads figures, one JSON object per line, as `npm run bench` prints them. Other lines are not figures. */
export function parseFigures(text: string): Figure[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{"name":'))
    .map((line) => JSON.parse(line))
}

/** Joins the figures of several runs: the median of each, and the lowest and the highest round of all runs. */
export function mergeRuns(figures: readonly Figure[]): Map<string, Figure> {
  const byName = Map.groupBy(figures, ({ name }) => name)
  return new Map(Array.from(byName, ([name, same]) => [name, mergeSame(same)]))
}

function mergeSame(figures: readonly Figure[]): Figure {
  const [{ name, unit } = { name: '', unit: '' }] = figures
  return {
    name,
    unit,
    ...mergeValue(figures, 'value', 'spread'),
    ...mergeValue(figures, 'bare', 'bare_spread'),
    ...mergeValue(figures, 'ratio', 'ratio_spread'),
  } as Figure // every figure has a value
}

function mergeValue(
  figures: readonly Figure[],
  key: 'value' | 'bare' | 'ratio',
  spreadKey: 'spread' | 'bare_spread' | 'ratio_spread',
): Partial<Figure> {
  const values = figures.map((figure) => figure[key]).filter((value) => value !== undefined)
  if (values.length === 0) return {}
  const bounds = figures.flatMap((figure) => figure[spreadKey] ?? figure[key] ?? [])
  const spread: Spread = [Math.min(...bounds), Math.max(...bounds)]
  return { [key]: round(median(values)), [spreadKey]: spread }
}
