import { expect, test } from 'vitest'
import { replaceTables } from './main.ts'
import { mergeRuns, parseFigures } from './merge.ts'
import { plotLedger } from './plot.ts'

const poll = {
  name: 'status.poll',
  unit: '1/s',
  spread: [90, 110],
  bare: 200,
  ratio: 0.5,
  ratio_spread: [0.4, 0.6],
}
const lines = [
  { ...poll, value: 100 },
  { ...poll, value: 300, spread: [250, 320] },
  { ...poll, value: 120 },
]
const output = lines.map((figure) => JSON.stringify(figure)).join('\nanother line\n')

test('runs are joined into the median of each figure and the spread of all rounds', () => {
  expect(mergeRuns(parseFigures(output)).get('status.poll')).toEqual({
    ...poll,
    value: 120,
    spread: [90, 320],
    bare_spread: [200, 200],
  })
})

test('a table is replaced between its markers, and one without figures stays as it is', () => {
  const text =
    'before\n<!-- bench: ratios -->\nold\n<!-- end -->\n<!-- bench: tails -->\nkept\n<!-- end -->\n'

  const replaced = replaceTables(text, mergeRuns(parseFigures(output)))

  expect(replaced).toContain('| `status.poll`: status polls | 120/s (90–320) |')
  expect(replaced).not.toContain('old')
  expect(replaced).toContain('\nkept\n<!-- end -->')
})

test('the plot has a bar for each part that an operation uses', () => {
  const figures = mergeRuns([
    { name: 'cost.get.main', value: 80, unit: 'µs', bare: 20 },
    { name: 'cost.get.postgres', value: 40, unit: 'µs', bare: 0 },
  ])

  const plot = plotLedger(figures)

  expect(plot.match(/<rect fill="#\w+" opacity="1" x="[\d.]+" y="56"/g)).toHaveLength(2)
  expect(plot).toContain('>120 µs<')
})
