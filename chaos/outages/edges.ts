import { setTimeout as sleep } from 'node:timers/promises'
import { allOutages, longPostgresSilence, shortOutages, type Outage } from './list-outages.ts'
import { probeUntil, waitForRecovery, type ProbeResult, type Recovery } from './probe.ts'
import { startBehindProxies, type OutageFixture } from './start-behind-proxies.ts'
import type { InjectedFault } from '../../apps/service/test/processes/inject-faults.ts'
import type { ChaosRun, ChaosReport } from '../chaos-run.ts'

/** What may be answered while something outside is broken, within which time, and how soon all is well after it. */
const bounds = { answer_ms: 15_000, scrape_ms: 5000, recovery_ms: 5000 }
const allowed = new Set([200, 201, 503])

/**
 * Walks everything outside the service (PostgreSQL, Redis, names, webhook receivers, callers that do not read, standard error) through
 * every way in which it can fail, while callers go on calling. Lost is an answer that is neither right nor 503, one that
 * takes over 15 s, a process that ended, and an edge after whose return not everything works within 5 s. With `n` only
 * the first so many of the short ones are tried. EDGE names one edge, such as `redis`.
 */
export const edgeOutages: ChaosRun = ({ n }) => run('edges', chooseOutages(n), [])

function chooseOutages(n: number | undefined): Outage[] {
  const edge = process.env['EDGE']
  if (n !== undefined) return shortOutages().slice(0, n)
  return edge === undefined ? allOutages() : allOutages().filter(({ name }) => name.startsWith(`${edge}:`))
}

/** The same, for one long silence of PostgreSQL, without the client's own time limit: the run has to find it. */
export const edgeOutagesWithInjectedFault: ChaosRun = () =>
  run('edges.planted', longPostgresSilence(), withoutClientTimeout)

const withoutClientTimeout: InjectedFault[] = [
  { file: '/platform/db/connection/pool.ts', find: '(last = setImmediate(giveUp))', put: 'last' },
]

async function run(
  name: string,
  outages: readonly Outage[],
  injectedFaults: InjectedFault[],
): Promise<ChaosReport> {
  await using fixture = await startBehindProxies(injectedFaults)
  const before = await waitForRecovery(fixture, 30_000)
  if ('missing' in before) throw new Error(`without any fault there is ${before.missing}`)
  let [acknowledged, lost, slowest_ms] = [0, 0, 0]
  for (const outage of outages) {
    const { probed: probes, recovery } = await tryOutage(fixture, outage)
    const wrong = probes.filter(isWrong)
    const exitedProcesses = [fixture.serve, fixture.work].filter(
      ({ child }) => child.exitCode !== null,
    ).length
    const slowest = Math.max(...probes.map(({ took_ms }) => took_ms))
    acknowledged += probes.length - wrong.length
    lost += wrong.length + exitedProcesses + ('missing' in recovery ? 1 : 0)
    slowest_ms = Math.max(slowest_ms, slowest)
    process.stderr.write(
      `${name} ${outage.name}: ${describe({ probes, wrong, exitedProcesses, slowest, recovery })}\n`,
    )
    if (exitedProcesses > 0) break
  }
  return {
    name,
    faults: outages.length,
    acknowledged,
    lost,
    duplicated: 0,
    p99_ms: slowest_ms,
    p99_allowed_ms: bounds.answer_ms,
  }
}

async function tryOutage(fixture: OutageFixture, { hold_ms, begin, end }: Outage) {
  const stopProbing = new AbortController()
  const probing = probeUntil(stopProbing.signal, fixture)
  await sleep(300)
  await begin(fixture)
  await sleep(hold_ms)
  await end(fixture)
  const recovery = await waitForRecovery(fixture, bounds.recovery_ms)
  stopProbing.abort()
  const probes = await probing
  return { probed: probes, recovery }
}

function isWrong({ what, status, took_ms }: ProbeResult): boolean {
  return !allowed.has(status) || took_ms > (what === 'metrics' ? bounds.scrape_ms : bounds.answer_ms)
}

type OutageObservations = {
  probes: ProbeResult[]
  wrong: ProbeResult[]
  exitedProcesses: number
  slowest: number
  recovery: Recovery
}

function describe({ probes, wrong, exitedProcesses, slowest, recovery }: OutageObservations): string {
  const refused = probes.filter(({ status }) => status === 503).length
  const kinds = [...new Set(wrong.map(({ what, status, took_ms }) => `${what} ${status} in ${took_ms} ms`))]
  return [
    `${probes.length} answers, ${refused} of them 503, slowest ${slowest} ms`,
    'missing' in recovery
      ? `NOT WELL after ${bounds.recovery_ms} ms: ${recovery.missing}`
      : `well after ${recovery.after_ms} ms`,
    ...(exitedProcesses > 0 ? [`${exitedProcesses} PROCESSES ENDED`] : []),
    ...(wrong.length > 0 ? [`WRONG: ${wrong.length} (${kinds.slice(0, 5).join(', ')})`] : []),
  ].join(', ')
}
