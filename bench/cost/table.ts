import { round, type Figure } from '../figure.ts'
import { barePartTexts, type BarePart } from './bare.ts'
import type { Ledger } from './measure.ts'
import { columns, combineUsages, type Usage } from './observe.ts'
import type { Operation } from './operations.ts'

const headings: Record<keyof Usage, { short: string; unit: string }> = {
  main: { short: 'main', unit: 'µs' },
  threads: { short: 'threads', unit: 'µs' },
  runtime: { short: 'runtime', unit: 'µs' },
  postgres: { short: 'postgres', unit: 'µs' },
  redis: { short: 'redis', unit: 'µs' },
  wal_bytes: { short: 'WAL', unit: 'bytes' },
  statements: { short: 'stmts', unit: 'statements' },
  round_trips: { short: 'trips', unit: 'round trips' },
}
const nameWidth = 16
const cellWidth = 9

/** An aligned table: for each operation what it uses, below it what its bare parts use together, then the parts themselves. */
export function formatLedger(operations: readonly Operation[], ledger: Ledger): string {
  const lines = [
    'µs of CPU, bytes of WAL, statements and round trips of one operation, with 32 in flight; alone: round trips with one in flight.',
    row('', [...columns.map((column) => headings[column].short), 'alone']),
  ]
  for (const operation of operations) {
    const usage = least(roundsOf(ledger, operation).map(({ loaded }) => loaded))
    const { round_trips } = least(roundsOf(ledger, operation).map(({ alone }) => alone))
    lines.push(row(operation.name, [...cells(usage), cell(round_trips)]))
    lines.push(row('  bare', cells(bareUsage(operation, ledger))))
  }
  lines.push('', 'The bare parts')
  for (const part of new Set(operations.flatMap(({ bare }) => bare)))
    lines.push(`${row(part, cells(leastBare(part, ledger)))}  ${barePartTexts[part]}`)
  return `${lines.join('\n')}\n`
}

/** The same as figures: `cost.OPERATION.COLUMN`, and `cost.OPERATION.alone.COLUMN` with one in flight. */
export function listFigures(operations: readonly Operation[], ledger: Ledger): Figure[] {
  return operations.flatMap((operation) => {
    const { name } = operation
    const bare = bareUsage(operation, ledger)
    const usage = least(roundsOf(ledger, operation).map(({ loaded }) => loaded))
    const single = least(roundsOf(ledger, operation).map(({ alone }) => alone))
    return columns.flatMap((column): Figure[] => {
      const { unit } = headings[column]
      return [
        { name: `cost.${name}.${column}`, value: round(usage[column]), unit, bare: round(bare[column]) },
        { name: `cost.${name}.alone.${column}`, value: round(single[column]), unit },
      ]
    })
  })
}

/** The smallest reading of each column: whatever disturbs a round adds to it. */
function least(usages: readonly Usage[]): Usage {
  return combineUsages(usages, (values) => Math.min(...values))
}

function bareUsage({ bare }: Operation, ledger: Ledger): Usage {
  const parts = bare.map((part) => leastBare(part, ledger))
  return combineUsages(parts, (values) => values.reduce((sum, value) => sum + value, 0))
}

function leastBare(part: BarePart, ledger: Ledger): Usage {
  const rounds = [...ledger.values()].flat()
  return least(rounds.map(({ bare }) => bare.get(part)).filter((usage) => usage !== undefined))
}

const roundsOf = (ledger: Ledger, { name }: Operation) => ledger.get(name) ?? []

function row(name: string, texts: string[]): string {
  return name.padEnd(nameWidth) + texts.map((text) => text.padStart(cellWidth)).join('')
}

const cells = (usage: Usage) => columns.map((column) => cell(usage[column]))

function cell(value: number): string {
  if (value < 0.005) return '·'
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)
}
