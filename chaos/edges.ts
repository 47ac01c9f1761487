import { setTimeout as sleep } from 'node:timers/promises'
import { allCells, longSilence, someCells, type Cell } from './edges/cells.ts'
import { probeUntil, recover, type Probed, type Recovery } from './edges/probe.ts'
import { openWorld, type World } from './edges/world.ts'
import type { Plant } from './plant.ts'
import type { Chaos, Ledger } from './run.ts'

/** What may be answered while something outside is broken, within which time, and how soon all is well after it. */
const bounds = { answer_ms: 15_000, scrape_ms: 5000, recovery_ms: 5000 }
const allowed = new Set([200, 201, 503])

/**
 * Walks everything outside the service (PostgreSQL, Redis, names, webhook receivers, callers that do not read, standard error) through
 * every way in which it can fail, while callers go on calling. Lost is an answer that is neither right nor 503, one that
 * takes over 15 s, a process that ended, and an edge after whose return not everything works within 5 s. With `n` only
 * the first so many of the short ones are tried. EDGE names one edge, such as `redis`.
 */
export const edges: Chaos = ({ n }) => run('edges', chosen(n), [])

function chosen(n: number | undefined): Cell[] {
  const edge = process.env['EDGE']
  if (n !== undefined) return someCells().slice(0, n)
  return edge === undefined ? allCells() : allCells().filter(({ name }) => name.startsWith(`${edge}:`))
}

/** The same, for one long silence of PostgreSQL, without the client's own time limit: the run has to find it. */
export const edgesWithPlantedFault: Chaos = () => run('edges.planted', longSilence(), unlimited)

const unlimited: Plant[] = [
  { file: '/platform/db/connection/pool.ts', find: '(last = setImmediate(giveUp))', put: 'last' },
]

async function run(name: string, cells: readonly Cell[], plants: Plant[]): Promise<Ledger> {
  await using world = await openWorld(plants)
  const before = await recover(world, 30_000)
  if ('missing' in before) throw new Error(`without any fault there is ${before.missing}`)
  let [acknowledged, lost, slowest_ms] = [0, 0, 0]
  for (const cell of cells) {
    const { probed, recovery } = await tryCell(world, cell)
    const wrong = probed.filter(isWrong)
    const ended = [world.serve, world.work].filter(({ child }) => child.exitCode !== null).length
    const slowest = Math.max(...probed.map(({ took_ms }) => took_ms))
    acknowledged += probed.length - wrong.length
    lost += wrong.length + ended + ('missing' in recovery ? 1 : 0)
    slowest_ms = Math.max(slowest_ms, slowest)
    process.stderr.write(`${name} ${cell.name}: ${describe({ probed, wrong, ended, slowest, recovery })}\n`)
    if (ended > 0) break
  }
  return {
    name,
    faults: cells.length,
    acknowledged,
    lost,
    duplicated: 0,
    p99_ms: slowest_ms,
    p99_allowed_ms: bounds.answer_ms,
  }
}

async function tryCell(world: World, { hold_ms, begin, end }: Cell) {
  const over = new AbortController()
  const probing = probeUntil(over.signal, world)
  await sleep(300)
  await begin(world)
  await sleep(hold_ms)
  await end(world)
  const recovery = await recover(world, bounds.recovery_ms)
  over.abort()
  const probed = await probing
  return { probed, recovery }
}

function isWrong({ what, status, took_ms }: Probed): boolean {
  return !allowed.has(status) || took_ms > (what === 'metrics' ? bounds.scrape_ms : bounds.answer_ms)
}

type Found = {
  probed: Probed[]
  wrong: Probed[]
  ended: number
  slowest: number
  recovery: Recovery
}

function describe({ probed, wrong, ended, slowest, recovery }: Found): string {
  const refused = probed.filter(({ status }) => status === 503).length
  const kinds = [...new Set(wrong.map(({ what, status, took_ms }) => `${what} ${status} in ${took_ms} ms`))]
  return [
    `${probed.length} answers, ${refused} of them 503, slowest ${slowest} ms`,
    'missing' in recovery
      ? `NOT WELL after ${bounds.recovery_ms} ms: ${recovery.missing}`
      : `well after ${recovery.after_ms} ms`,
    ...(ended > 0 ? [`${ended} PROCESSES ENDED`] : []),
    ...(wrong.length > 0 ? [`WRONG: ${wrong.length} (${kinds.slice(0, 5).join(', ')})`] : []),
  ].join(', ')
}
