import { setTimeout as sleep } from 'node:timers/promises'
import { allOutages, longPostgresSilence, shortOutages, type Outage } from './list-outages.ts'
import { probeUntil, waitForRecovery, type ProbeResult, type Recovery } from './probe.ts'
import { startBehindProxies, type OutageFixture } from './start-behind-proxies.ts'
import { sourceFaults } from '../../apps/service/test/injected-faults.ts'
import type { InjectedFault } from '../../apps/service/test/processes/inject-faults.ts'
import type { ChaosRun, ChaosReport } from '../chaos-run.ts'

/** Time limits for responses and metrics scrapes during an outage, and for recovery after it. */
const bounds = { response_ms: 15_000, scrape_ms: 5000, recovery_ms: 5000 }
const allowed = new Set([200, 201, 503])

/**
 * Makes every external dependency (PostgreSQL, Redis, DNS, webhook receivers, clients that do not read, standard error) fail
 * in every way while clients keep calling. `lost` counts responses that are neither correct nor 503, responses slower than
 * 15 s, processes that exited, and outages from which the service did not recover within 5 s. `n` limits the run to the
 * first `n` short outages. The environment variable EDGE selects one dependency, such as `redis`.
 */
export const edgeOutages: ChaosRun = ({ n }) => run('edges', chooseOutages(n), [])

function chooseOutages(n: number | undefined): Outage[] {
  const edge = process.env['EDGE']
  if (n !== undefined) return shortOutages().slice(0, n)
  return edge === undefined ? allOutages() : allOutages().filter(({ name }) => name.startsWith(`${edge}:`))
}

/** The same for one long silence of PostgreSQL, without the client-side timeout. The run must detect it. */
export const edgeOutagesWithInjectedFault: ChaosRun = () =>
  run('edges.injected', longPostgresSilence(), sourceFaults.noClientTimeout)

async function run(
  name: string,
  outages: readonly Outage[],
  injectedFaults: InjectedFault[],
): Promise<ChaosReport> {
  await using fixture = await startBehindProxies(injectedFaults)
  const before = await waitForRecovery(fixture, 30_000)
  if ('missing' in before) throw new Error(`not healthy before the first outage: ${before.missing}`)
  let [acknowledged, lost, slowest_ms] = [0, 0, 0]
  for (const outage of outages) {
    const { probes, recovery } = await tryOutage(fixture, outage)
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
    p99_allowed_ms: bounds.response_ms,
  }
}

async function tryOutage(fixture: OutageFixture, { duration_ms, begin, end }: Outage) {
  const stopProbing = new AbortController()
  const probing = probeUntil(stopProbing.signal, fixture)
  await sleep(300)
  await begin(fixture)
  await sleep(duration_ms)
  await end(fixture)
  const recovery = await waitForRecovery(fixture, bounds.recovery_ms)
  stopProbing.abort()
  const probes = await probing
  return { probes, recovery }
}

function isWrong({ what, status, took_ms }: ProbeResult): boolean {
  return !allowed.has(status) || took_ms > (what === 'metrics' ? bounds.scrape_ms : bounds.response_ms)
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
    `${probes.length} responses, ${refused} of them 503, slowest ${slowest} ms`,
    'missing' in recovery
      ? `NOT RECOVERED after ${bounds.recovery_ms} ms: ${recovery.missing}`
      : `recovered after ${recovery.after_ms} ms`,
    ...(exitedProcesses > 0 ? [`${exitedProcesses} PROCESSES EXITED`] : []),
    ...(wrong.length > 0 ? [`WRONG: ${wrong.length} (${kinds.slice(0, 5).join(', ')})`] : []),
  ].join(', ')
}
