import { parseArgs } from 'node:util'
import type { Bench } from '../figure.ts'
import { dropGrowthDatabase, openGrowthDatabase } from './database.ts'
import { fillDays } from './fill.ts'
import { measureGrowth } from './measure.ts'

const defaultVerifications = 10_000_000
const defaultRounds = 5

/**
 * `npm run bench -- growth [operation…]`: what requests and jobs achieve with millions of verifications in the tables, compared with
 * empty tables. `--verifications N` says how many. With `--keep` the database stays, and a later run with the same number measures
 * without filling it again; `--fill-only` does no more than that, with `--pause-ms` after each day.
 */
export async function reportGrowth(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      verifications: { type: 'string', default: String(defaultVerifications) },
      rounds: { type: 'string', default: String(defaultRounds) },
      'pause-ms': { type: 'string', default: '0' },
      'fill-only': { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
    },
  })
  const verifications = Number(values.verifications)
  const database = await openGrowthDatabase(verifications)
  const last_day = await fillDays({ ...database, verifications, pause_ms: Number(values['pause-ms']) })
  if (values['fill-only']) return
  const rounds = Number(values.rounds)
  const figures = await measureGrowth(database, { verifications, last_day, rounds, operations: positionals })
  for (const figure of figures) process.stdout.write(`${JSON.stringify(figure)}\n`)
  if (!values.keep) await dropGrowthDatabase(database)
}

const growth: Bench = async () => {
  const database = await openGrowthDatabase(defaultVerifications)
  const last_day = await fillDays({ ...database, verifications: defaultVerifications, pause_ms: 0 })
  const figures = await measureGrowth(database, {
    verifications: defaultVerifications,
    last_day,
    rounds: defaultRounds,
    operations: [],
  })
  await dropGrowthDatabase(database)
  return figures
}

export const benches: Record<string, Bench> = { growth }
