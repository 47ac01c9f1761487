import { listGrowth, type GrowthRow } from './growth-table.ts'
import type { Figures } from './tables.ts'

const textColour = '#6e7781'
// Colours that colour-blind readers can tell apart, readable on white and on black. The largest number of verifications has the first.
const colours = ['#4477aa', '#ccbb44', '#ee6677', '#66ccee']
const size = { width: 860, left: 330, right: 60, top: 60, row: 40 }
const axis = { from: 0, to: 1.3, labels: [0, 0.25, 0.5, 0.75, 1, 1.25], aim: 0.95 }

/** A row for each operation, with its rate as a share of that with empty tables: a dot for the median, a line for all rounds. */
export function plotGrowth(figures: Figures): string {
  const rows = listGrowth(figures)
  const counts = [
    ...new Set(rows.flatMap(({ points }) => points.map(({ verifications }) => verifications))),
  ].toSorted((a, b) => b - a)
  const colourOf = (verifications: number) =>
    colours[counts.indexOf(verifications) % colours.length] ?? textColour
  const bottom = size.top + rows.length * size.row
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${bottom + 40}" role="img" aria-labelledby="title" fill="${textColour}" font-family="system-ui, sans-serif" font-size="13">`,
    '<title id="title">Rate of each operation with millions of verifications, as a share of the rate with empty tables</title>',
    ...counts.flatMap((verifications, index) => [
      `<circle cx="${size.left + index * 170 + 6}" cy="20" r="6" fill="${colourOf(verifications)}"/>`,
      `<text x="${size.left + index * 170 + 18}" y="25">${verifications / 1e6} million verifications</text>`,
    ]),
    ...axis.labels.flatMap((label) => [
      `<line x1="${x(label)}" y1="${size.top - 14}" x2="${x(label)}" y2="${bottom}" stroke="${textColour}" stroke-opacity="${label === 1 ? 0.8 : 0.2}"/>`,
      `<text x="${x(label)}" y="${bottom + 18}" text-anchor="middle" font-size="11">${label}</text>`,
    ]),
    `<line x1="${x(axis.aim)}" y1="${size.top - 14}" x2="${x(axis.aim)}" y2="${bottom}" stroke="${textColour}" stroke-dasharray="4 3"/>`,
    `<text x="${x(axis.aim)}" y="${bottom + 34}" text-anchor="middle" font-size="11">aim ${axis.aim}</text>`,
    ...rows.flatMap((row, index) => plotRow(row, size.top + index * size.row + 12, colourOf)),
    '</svg>',
    '',
  ].join('\n')
}

function plotRow(
  { text, points }: GrowthRow,
  top: number,
  colourOf: (verifications: number) => string,
): string[] {
  return [
    `<text x="${size.left - 12}" y="${top + 4}" text-anchor="end">${text}</text>`,
    ...points.flatMap(({ verifications, ratio, ratio_spread: [lowest, highest] }, index) => {
      const y = top + index * 8
      return [
        `<line x1="${x(lowest)}" y1="${y}" x2="${x(highest)}" y2="${y}" stroke="${colourOf(verifications)}" stroke-width="2"/>`,
        `<circle cx="${x(ratio)}" cy="${y}" r="4.5" fill="${colourOf(verifications)}"/>`,
      ]
    }),
  ]
}

function x(ratio: number): string {
  const share = (Math.min(ratio, axis.to) - axis.from) / (axis.to - axis.from)
  return (size.left + share * (size.width - size.left - size.right)).toFixed(1)
}
