import type { ReceivedSpan } from './network/collector.ts'

const size = { width: 560, label: 262, bar: 228, row: 19, top: 44, gap: 14, indent: 11 }
/** Legible on white and on black. */
const textColour = '#6e7781'
const lineColour = '#8c959f'
/** The first that matches. Colours that most people with a colour vision deficiency can tell apart. */
const kinds = [
  { title: 'request', colour: '#4477aa', matches: /^(?:GET|POST|PUT|DELETE) \// },
  { title: 'PostgreSQL', colour: '#b5a32c', matches: /^sql / },
  { title: 'Redis', colour: '#ee6677', matches: /^redis / },
  { title: 'webhook', colour: '#228833', matches: /^(?:webhook attempt|GET|POST)$/ },
  { title: 'verification', colour: '#aa3377', matches: /./ },
]

/** Draws a trace as an SVG picture: a row for each span, below its parent. Times in which nothing happened are cut out. */
export function drawTrace(spans: readonly ReceivedSpan[]): string {
  const rows = orderRows(spans)
  const { toX, cuts } = openTimeScale(spans)
  const height = size.top + rows.length * size.row + 8
  const lines = cuts.map(
    (x) =>
      `<line x1="${x}" y1="${size.top - 6}" x2="${x}" y2="${height - 4}" stroke="${lineColour}" stroke-dasharray="2 4"/>`,
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${height}" width="${size.width * 1.4}" height="${height * 1.4}" role="img" aria-labelledby="title" fill="${textColour}" font-family="system-ui, sans-serif" font-size="12">`,
    '<title id="title">The spans of one verification, from its creation to its webhook</title>',
    ...drawLegend(),
    ...lines,
    ...rows.flatMap(({ span, depth }, index) =>
      drawRow(span, { depth, y: size.top + index * size.row, toX }),
    ),
    '</svg>',
    '',
  ].join('\n')
}

type Row = { span: ReceivedSpan; depth: number }

function orderRows(spans: readonly ReceivedSpan[]): Row[] {
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const sorted = spans.toSorted((a, b) => a.started_at - b.started_at)
  const below = (parent: string | undefined, depth: number): Row[] =>
    sorted
      .filter(({ parentSpanId = '' }) =>
        parent === undefined ? !ids.has(parentSpanId) : parentSpanId === parent,
      )
      .flatMap((span) => [{ span, depth }, ...below(span.spanId, depth + 1)])
  return below(undefined, 0)
}

/** Maps times in which a span was active to the width of the bars, and cuts out the rest. */
function openTimeScale(spans: readonly ReceivedSpan[]) {
  const active: { from: number; to: number }[] = []
  for (const { started_at: from, ended_at: to } of spans.toSorted((a, b) => a.started_at - b.started_at)) {
    const last = active.at(-1)
    if (last !== undefined && from <= last.to + 2) last.to = Math.max(last.to, to)
    else active.push({ from, to })
  }
  const total = active.reduce((sum, { from, to }) => sum + to - from, 0)
  const scale = (size.bar - (active.length - 1) * size.gap) / total
  const offsets = active.map((_, index) =>
    active.slice(0, index).reduce((x, { from, to }) => x + (to - from) * scale + size.gap, size.label),
  )
  const toX = (time: number) => {
    const index = active.findLastIndex(({ from }) => from <= time)
    return round((offsets[index] ?? size.label) + (time - (active[index]?.from ?? time)) * scale)
  }
  return { toX, cuts: offsets.slice(1).map((x) => round(x - size.gap / 2)) }
}

function drawLegend(): string[] {
  return kinds.flatMap(({ title, colour }, index) => {
    const x = 6 + index * 108
    return [
      `<rect fill="${colour}" x="${x}" y="10" width="11" height="11" rx="2"/>`,
      `<text x="${x + 17}" y="20">${title}</text>`,
    ]
  })
}

function drawRow(
  { name, started_at, ended_at }: ReceivedSpan,
  { depth, y, toX }: { depth: number; y: number; toX: (time: number) => number },
): string[] {
  const x = toX(started_at)
  const width = Math.max(round(toX(ended_at) - x), 1.5)
  const colour = kinds.find(({ matches }) => matches.test(name))?.colour
  return [
    `<text x="${6 + depth * size.indent}" y="${y + 13}">${name}</text>`,
    `<rect fill="${colour}" x="${x}" y="${y + 4}" width="${width}" height="11" rx="2"/>`,
    `<text x="${size.width - 6}" y="${y + 13}" text-anchor="end">${formatDuration(ended_at - started_at)}</text>`,
  ]
}

function formatDuration(ms: number): string {
  return ms < 0.095 ? '0.1 ms' : `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
}

function round(number: number): number {
  return Math.round(number * 10) / 10
}
