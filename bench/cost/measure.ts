import { setTimeout as sleep } from 'node:timers/promises'
import { prepareBareParts, type BarePart } from './bare.ts'
import { combineUsages, measureUsage, noUsage, perOperation, type Usage } from './observe.ts'
import { serveOperations, workOperations, type Operation, type Size } from './operations.ts'
import { OverloadedError, startServe } from './serve.ts'
import type { OwnServers } from './servers.ts'
import { startWork } from './work.ts'

/** What one operation used with 32 in flight and with one, and what the bare parts used at that time. */
export type Round = { loaded: Usage; alone: Usage; bare: ReadonlyMap<BarePart, Usage> }

/** The rounds of each operation, by its name. */
export type Ledger = Map<string, Round[]>

export type LedgerOptions = {
  operations: readonly string[]
  rounds: number
  /** Only what is counted with one operation in flight, which takes a few seconds. */
  countedOnly?: boolean
  /** Bare parts to measure besides those of the operations. */
  parts?: readonly BarePart[]
  /** After the rounds: whether an operation has to be measured again, which is asked up to `maxRounds`. */
  again?: { isNeeded: (operation: string, rounds: readonly Round[]) => boolean; maxRounds: number }
}

type Program = { pid: number | undefined; database: string; analyze(): Promise<unknown> }

const connections = 32
const idle_ms = 2000
const maxAttempts = 5

/** Measures operations and bare parts in alternating rounds, after a round of warm-up. */
export async function measureLedger(servers: OwnServers, options: LedgerOptions): Promise<Ledger> {
  const ledger: Ledger = new Map()
  const serving = serveOperations.filter(({ name }) => options.operations.includes(name))
  if (serving.length > 0) {
    await using serve = await startServe(servers)
    await addRounds(serve, serving, (operation, size) => operation.prepare(serve, size))
  }
  const working = workOperations.filter(({ name }) => options.operations.includes(name))
  if (working.length > 0) {
    await using work = await startWork()
    await addRounds(work, working, (operation, size) => operation.prepare(work, size))
  }
  return ledger

  async function addRounds<Kind extends Operation>(
    program: Program,
    operations: readonly Kind[],
    prepare: (operation: Kind, size: Size) => Promise<() => Promise<void>>,
  ): Promise<void> {
    const observed = { node: program.pid, database: program.database }
    const { countedOnly = false } = options
    const parts = new Set(
      countedOnly ? [] : [...operations.flatMap(({ bare }) => bare), ...(options.parts ?? [])],
    )
    await using bareParts = await prepareBareParts(servers, parts)
    // The warm-up, which also gives the planner something to analyse.
    for (const measureBare of bareParts.values()) await measureBare()
    for (const operation of operations)
      await retryIfOverloaded(async () => {
        const run = await prepare(operation, {
          count: countedOnly ? operation.alone : operation.count,
          connections,
        })
        await run()
      })
    await program.analyze()
    const idle = await measureUsage(servers, observed, () => sleep(idle_ms))

    const measure = (operation: Kind, size: Size) =>
      retryIfOverloaded(async () => {
        const run = await prepare(operation, size)
        const started = performance.now()
        const usage = await measureUsage(servers, observed, run)
        return perOperation(withoutIdle(usage, idle, performance.now() - started), size.count)
      })
    for (let round = 0; ; round += 1) {
      const due = operations.filter(({ name }) => isDue(name, round))
      if (due.length === 0) return
      const bare = new Map<BarePart, Usage>()
      for (const [part, measureBare] of bareParts) bare.set(part, await measureBare())
      for (const operation of due) {
        const loaded = countedOnly
          ? noUsage
          : await measure(operation, { count: operation.count, connections })
        const alone = await measure(operation, { count: operation.alone, connections: 1 })
        ledger.set(operation.name, [...(ledger.get(operation.name) ?? []), { loaded, alone, bare }])
      }
    }
  }

  function isDue(name: string, round: number): boolean {
    const { rounds, again } = options
    if (round < rounds) return true
    return again !== undefined && round < again.maxRounds && again.isNeeded(name, ledger.get(name) ?? [])
  }
}

/** A service on a machine that is busy with something else refuses requests with 503. That is nothing to measure. */
async function retryIfOverloaded<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof OverloadedError) || attempt === maxAttempts) throw error
    }
  }
}

/** What the processes use anyway does not belong to the operations. */
function withoutIdle(usage: Usage, idle: Usage, took_ms: number): Usage {
  const share = took_ms / idle_ms
  return combineUsages([usage, idle], ([used = 0, unused = 0]) => Math.max(0, used - unused * share))
}
