import { listOperations, type Figures } from './tables.ts'

// Colours that colour-blind readers can tell apart, and a grey for text: all are readable on white and on black.
const parts = [
  { column: 'main', text: 'main thread', colour: '#4477aa' },
  { column: 'threads', text: 'worker threads', colour: '#66ccee' },
  { column: 'runtime', text: 'V8 and libuv', colour: '#999999' },
  { column: 'postgres', text: 'PostgreSQL', colour: '#ccbb44' },
  { column: 'redis', text: 'Redis', colour: '#ee6677' },
]
const textColour = '#6e7781'
const size = { width: 860, left: 130, right: 110, top: 56, row: 46, bar: 18, bareBar: 7 }

/** A bar for each operation with the CPU time of each part of the system; below it, thinner, that of its bare parts. */
export function plotLedger(figures: Figures): string {
  const bars = listOperations(figures).map((name) => ({
    name,
    used: parts.map(({ column }) => figures.get(`cost.${name}.${column}`)?.value ?? 0),
    bare: parts.map(({ column }) => figures.get(`cost.${name}.${column}`)?.bare ?? 0),
  }))
  const highest = Math.max(1, ...bars.flatMap(({ used, bare }) => [total(used), total(bare)]))
  const scale = (size.width - size.left - size.right) / highest
  const height = size.top + bars.length * size.row + 10
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${height}" role="img" aria-labelledby="title" fill="${textColour}" font-family="system-ui, sans-serif" font-size="13">`,
    '<title id="title">CPU time of one operation in each part of the system, and of its bare parts</title>',
    ...legend(),
    ...bars.flatMap(({ name, used, bare }, index) => {
      const y = size.top + index * size.row
      return [
        `<text x="${size.left - 10}" y="${y + 14}" text-anchor="end">${name.replace('_', ' ')}</text>`,
        ...segments(used, { y, height: size.bar, scale, opacity: 1 }),
        ...segments(bare, { y: y + size.bar + 3, height: size.bareBar, scale, opacity: 0.6 }),
        `<text x="${number(size.left + total(used) * scale + 6)}" y="${y + 14}">${Math.round(total(used))} µs</text>`,
        `<text x="${number(size.left + total(bare) * scale + 6)}" y="${y + 32}" font-size="11">bare ${Math.round(total(bare))}</text>`,
      ]
    }),
    '</svg>',
    '',
  ].join('\n')
}

function legend(): string[] {
  return parts.flatMap(({ colour, text }, index) => {
    const x = size.left + index * 130
    return [
      `<rect fill="${colour}" x="${x}" y="14" width="12" height="12"/>`,
      `<text x="${x + 18}" y="25">${text}</text>`,
    ]
  })
}

function segments(
  values: readonly number[],
  { y, height, scale, opacity }: { y: number; height: number; scale: number; opacity: number },
): string[] {
  let x = size.left
  return values.flatMap((value, index) => {
    const width = value * scale
    const left = x
    x += width
    if (width < 0.05) return []
    return [
      `<rect fill="${parts[index]?.colour}" opacity="${opacity}" x="${number(left)}" y="${y}" width="${number(width)}" height="${height}"/>`,
    ]
  })
}

const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
const number = (value: number) => value.toFixed(1)
