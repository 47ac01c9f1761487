import { growthTexts } from '../growth/texts.ts'
import type { Spread } from '../figure.ts'
import type { Figures } from './tables.ts'

/** One operation with its measurements, the largest number of verifications first. */
export type GrowthRow = { text: string; points: GrowthPoint[] }
type GrowthPoint = {
  verifications: number
  value: number
  bare: number
  ratio: number
  ratio_spread: Spread
}

/** The operations in their order, from figures named `growth.OPERATION.SESSIONS`. */
export function listGrowth(figures: Figures): GrowthRow[] {
  return Object.entries(growthTexts).flatMap(([name, text]) => {
    const points = Array.from(figures.values()).flatMap((figure): GrowthPoint[] => {
      const [group, operation, verifications] = figure.name.split('.')
      const { value, bare, ratio, ratio_spread } = figure
      if (group !== 'growth' || operation !== name || bare === undefined || ratio === undefined) return []
      return [
        {
          verifications: Number(verifications),
          value,
          bare,
          ratio,
          ratio_spread: ratio_spread ?? [ratio, ratio],
        },
      ]
    })
    return points.length === 0
      ? []
      : [{ text, points: points.toSorted((a, b) => b.verifications - a.verifications) }]
  })
}

export function growthTable(figures: Figures): string {
  const rows = listGrowth(figures).flatMap(({ text, points }) =>
    points.map(
      ({ verifications, value, bare, ratio, ratio_spread: [lowest, highest] }) =>
        `| ${text} | ${verifications / 1e6} million | ${rate(value)} | ${rate(bare)} | ${ratio.toFixed(2)} (${lowest.toFixed(2)}–${highest.toFixed(2)}) |`,
    ),
  )
  if (rows.length === 0) return ''
  return [
    '| | verifications | with them | with empty tables | ratio |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}

const rate = (value: number) =>
  value < 100 ? `${value.toPrecision(3)}/s` : `${Math.round(value).toLocaleString('en-GB')}/s`
