import { median } from '../figure.ts'
import type { BarePart } from './bare.ts'
import type { Round } from './measure.ts'
import type { Usage } from './observe.ts'

/**
 * The entries of one operation that may not grow. CPU times are multiples of what bare parts used in the same round, because
 * machines differ. What is counted with one operation in flight does not depend on how many happened to share a statement.
 */
export type Entries = Record<EntryName, number>
type EntryName =
  | 'alone.statements'
  | 'alone.round_trips'
  | 'alone.wal_bytes'
  | 'loaded.round_trips'
  | 'cpu.main'
  | 'cpu.threads'
  | 'cpu.postgres'
  | 'cpu.redis'

/** The entries of each operation, as recorded in the repository. */
export type RecordedLedger = Record<string, Partial<Entries>>

export type Growth = { operation: string; entry: EntryName; recorded: number; measured: number }

/** An entry may grow by this share. */
const maxGrowth = 0.15

/** Growth below this is not judged: it is within the noise of an entry that is close to zero. */
const negligible: Entries = {
  'alone.statements': 0.1,
  'alone.round_trips': 0.1,
  'alone.wal_bytes': 64,
  'loaded.round_trips': 0.1,
  'cpu.main': 0.2,
  'cpu.threads': 0.1,
  'cpu.postgres': 0.3,
  'cpu.redis': 0.5,
}
// The keys of a constant are exactly those of its type.
const entryNames = Object.keys(negligible) as EntryName[]
/**
 * Statements with one operation in flight are the same on every machine, however busy it is. Round trips to Redis depend on how fast a
 * caller is, and WAL on what is written now and then.
 */
const countedNames: EntryName[] = ['alone.statements']

/** Which entries to judge or record: all, or only those that are counted. */
export type EntryChoice = 'all' | 'counted'

/** The bare parts that CPU times are compared with. A part of PostgreSQL is as much reading as writing. */
export const calibrationParts: readonly BarePart[] = ['fastify', 'select', 'insert', 'redis', 'verify']
const insertShare = 0.1

/** The entries that grew by more than the allowed share over what is recorded. A missing record counts as growth from zero. */
export function findGrowth(
  operation: string,
  recorded: Partial<Entries> | undefined,
  rounds: readonly Round[],
  choice: EntryChoice = 'all',
): Growth[] {
  const measured = combineRounds(rounds, (values) => Math.min(...values))
  return chosenNames(choice).flatMap((entry) => {
    const before = recorded?.[entry] ?? 0
    const now = measured[entry]
    const grown = now > before * (1 + maxGrowth) && now > before + negligible[entry]
    return grown || Number.isNaN(now) ? [{ operation, entry, recorded: before, measured: now }] : []
  })
}

/**
 * The entries to record: medians. A check takes the lowest of its rounds, since whatever disturbs a round adds to it, so that
 * it fails only if every round is above.
 */
export function toRecord(rounds: readonly Round[], choice: EntryChoice = 'all'): Partial<Entries> {
  const entries = combineRounds(rounds, (values) => Number(median(values).toPrecision(4)))
  return Object.fromEntries(chosenNames(choice).map((name) => [name, entries[name]]))
}

function chosenNames(choice: EntryChoice): EntryName[] {
  return choice === 'all' ? entryNames : countedNames
}

function combineRounds(rounds: readonly Round[], how: (values: number[]) => number): Entries {
  const entries = rounds.map(entriesOf)
  const combined = { ...negligible }
  for (const name of entryNames) combined[name] = how(entries.map((one) => one[name]))
  return combined
}

function entriesOf({ loaded, alone, bare }: Round): Entries {
  const bareUse = (part: BarePart, column: keyof Usage) => bare.get(part)?.[column] ?? Number.NaN
  return {
    'alone.statements': alone.statements,
    'alone.round_trips': alone.round_trips,
    'alone.wal_bytes': alone.wal_bytes,
    'loaded.round_trips': loaded.round_trips,
    'cpu.main': loaded.main / bareUse('fastify', 'main'),
    'cpu.threads': loaded.threads / bareUse('verify', 'threads'),
    'cpu.postgres':
      loaded.postgres / (bareUse('select', 'postgres') + insertShare * bareUse('insert', 'postgres')),
    'cpu.redis': loaded.redis / bareUse('redis', 'redis'),
  }
}
