import { readFileSync, writeFileSync } from 'node:fs'
import type { Figure } from '../figure.ts'
import { calibrationParts, findGrowth, toRecord, type EntryChoice, type RecordedLedger } from './judge.ts'
import { measureLedger } from './measure.ts'
import { serveOperations, workOperations } from './operations.ts'
import { startOwnServers, type OwnServers } from './servers.ts'
import { formatLedger, listFigures } from './table.ts'

const recordFile = new URL('../cost.recorded.json', import.meta.url)
const rounds = { report: 3, record: { all: 7, counted: 3 }, check: { all: 2, counted: 1 }, maxCheck: 8 }

/**
 * `npm run bench -- cost [operation…]`: what an operation uses of each part of the system, beside what its bare parts use.
 * With `--record`, writes what a later `--check` compares with; it exits with 1 if an entry grew. With `--counted`, both only
 * count statements, which no other load on the machine changes.
 */
export async function reportCost(args: readonly string[]): Promise<void> {
  const choice = args.includes('--counted') ? 'counted' : 'all'
  const operations = chooseOperations(
    args.filter((word) => !word.startsWith('--')),
    choice,
  )
  const names = operations.map(({ name }) => name)
  await using servers = await startOwnServers()
  if (args.includes('--record')) await recordLedger(servers, names, choice)
  else if (args.includes('--check')) await checkLedger(servers, names, choice)
  else {
    const ledger = await measureLedger(servers, { operations: names, rounds: rounds.report })
    process.stdout.write(formatLedger(operations, ledger))
  }
}

/** Every operation, as figures. */
export async function measureCosts(): Promise<Figure[]> {
  const operations = chooseOperations([], 'all')
  await using servers = await startOwnServers()
  const names = operations.map(({ name }) => name)
  return listFigures(operations, await measureLedger(servers, { operations: names, rounds: rounds.report }))
}

async function recordLedger(
  servers: OwnServers,
  operations: readonly string[],
  choice: EntryChoice,
): Promise<void> {
  const recorded = readRecorded()
  const ledger = await measureLedger(servers, {
    operations,
    rounds: rounds.record[choice],
    countedOnly: choice === 'counted',
    parts: calibrationParts,
  })
  for (const [name, measured] of ledger) recorded[name] = { ...recorded[name], ...toRecord(measured, choice) }
  writeFileSync(recordFile, `${JSON.stringify(recorded, undefined, 2)}\n`)
}

/** Measures an operation again while one of its entries is above what is allowed, so that a disturbance is not taken for growth. */
async function checkLedger(
  servers: OwnServers,
  operations: readonly string[],
  choice: EntryChoice,
): Promise<void> {
  const recorded = readRecorded()
  const ledger = await measureLedger(servers, {
    operations,
    rounds: rounds.check[choice],
    countedOnly: choice === 'counted',
    parts: calibrationParts,
    again: {
      isNeeded: (name, measured) => findGrowth(name, recorded[name], measured, choice).length > 0,
      maxRounds: rounds.maxCheck,
    },
  })
  const growth = operations.flatMap((name) =>
    findGrowth(name, recorded[name], ledger.get(name) ?? [], choice),
  )
  for (const { operation, entry, recorded: before, measured } of growth)
    process.stdout.write(`${operation}: ${entry} grew from ${before} to ${measured.toPrecision(4)}\n`)
  const most = Math.max(...Array.from(ledger.values(), (measured) => measured.length))
  process.stdout.write(
    `${operations.length} operations, up to ${most} rounds, ${growth.length} entries grew\n`,
  )
  if (growth.length > 0) process.exitCode = 1
}

function chooseOperations(prefixes: readonly string[], choice: EntryChoice) {
  // A worker takes as many events at once as are due: what one of them needs depends on the time.
  const all = choice === 'counted' ? serveOperations : [...serveOperations, ...workOperations]
  const chosen = all.filter(
    ({ name }) => prefixes.length === 0 || prefixes.some((prefix) => name.startsWith(prefix)),
  )
  if (chosen.length === 0) throw new Error(`There is no operation ${prefixes.join(' or ')}.`)
  return chosen
}

function readRecorded(): RecordedLedger {
  return JSON.parse(readFileSync(recordFile, 'utf8'))
}
