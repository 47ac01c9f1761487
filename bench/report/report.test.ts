import { expect, test } from 'vitest'
import { readInputs } from '../model/inputs.ts'
import { growthTable } from './growth-table.ts'
import { readMeasured, renderOthers, replaceTables } from './main.ts'
import { mergeRuns, parseFigures } from './merge.ts'
import { plotGrowth } from './plot-growth.ts'
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
    'before\n<!-- bench: ratios -->\nold\n<!-- end -->\n<!-- bench: peers -->\nkept\n<!-- end -->\n'

  const replaced = replaceTables(text, mergeRuns(parseFigures(output)))

  expect(replaced).toContain('| `status.poll`: status polls | 120/s (90–320) |')
  expect(replaced).not.toContain('old')
  expect(replaced).toContain('\nkept\n<!-- end -->')
})

test('tables that the page has no place for are printed', () => {
  const text = '<!-- bench: ratios -->\n<!-- end -->\n<!-- bench: capacity -->\n<!-- end -->\n'

  const others = renderOthers(text, mergeRuns(parseFigures(output)), readInputs(readMeasured()))

  expect(others).toContain('| status polls | 120/s (90–320) |')
  expect(others).toContain('| one verification | sum of its operations |')
  expect(others).not.toContain('bare parts')
  expect(others).not.toContain('**cells**')
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

test('growth has a row and a dot for each operation and number of verifications, the largest number first', () => {
  const growth = { unit: '1/s', bare: 100, ratio_spread: [0.9, 1.1] as [number, number] }
  const figures = mergeRuns([
    { ...growth, name: 'growth.get.1000000', value: 99, ratio: 0.99 },
    { ...growth, name: 'growth.get.50000000', value: 96, ratio: 0.96 },
    { ...growth, name: 'growth.create.50000000', value: 98, ratio: 0.98 },
  ])

  const [, , ...rows] = growthTable(figures).split('\n')

  expect(rows.map((row) => row.split(' | ').slice(0, 2))).toEqual([
    ['| creations', '50 million'],
    ['| reads of verifications of today', '50 million'],
    ['| reads of verifications of today', '1 million'],
  ])
  expect(rows[1]).toContain('| 0.96 (0.90–1.10) |')
  expect(plotGrowth(figures).match(/<circle [^>]*r="4.5"/g)).toHaveLength(3)
})
