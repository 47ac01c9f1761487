import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  startProcesses,
  type ServiceProcess,
  type ServiceProcesses,
} from '../../apps/service/test/processes/processes.ts'
import { sourceFaults } from '../../apps/service/test/injected-faults.ts'
import type { InjectedFault } from '../../apps/service/test/processes/inject-faults.ts'
import type { ChaosRun, ChaosReport } from '../chaos-run.ts'

const fullSize = 100
const clients = 24
const between_ms = 3000
const pollInterval_ms = 100
const maxStop_ms = 15_000

/**
 * Rolling restarts: a new process starts and the oldest gets SIGTERM, while clients keep calling over keep-alive connections,
 * some without pause and some with. A client uses its connection until a response closes it, then connects to a process
 * that is ready. `lost` counts requests without a response or with a status other than 200 or 503, and processes that did
 * not exit cleanly within 15 seconds.
 */
export const rollingRestart: ChaosRun = ({ n = fullSize }) => run('restart', n, [])

/** The same with a process that closes its connections as soon as it gets SIGTERM. The run must detect it. */
export const rollingRestartWithInjectedFault: ChaosRun = ({ n = fullSize }) =>
  run('restart.injected', n, sourceFaults.closedAtOnce)

async function run(name: string, restarts: number, injectedFaults: InjectedFault[]): Promise<ChaosReport> {
  await using service = await startProcesses(2, {
    injectedFaults,
  })
  const { key } = await service.tenant()
  const abort = new AbortController()
  const ready = startLoadBalancer(service, abort.signal)
  const found: RequestCounts = { responded: 0, turned_away: 0, lost: [] }
  const clientLoops = Array.from({ length: clients }, (_, index) =>
    callUntilAborted(abort.signal, { key, ready, found, pause_ms: index % 3 === 0 ? 0 : index * 100 }),
  )
  await sleep(1000)
  const stopped = await restart(service, restarts)
  abort.abort()
  await Promise.all(clientLoops)
  const unclean = (await Promise.all(stopped)).filter((clean) => !clean).length
  const kinds = found.lost.length === 0 ? '' : ` (${[...new Set(found.lost)].join(', ')})`
  process.stderr.write(
    `${name}: ${found.responded} succeeded, ${found.turned_away} overloaded and retried, ${found.lost.length} lost${kinds}, ${unclean} did not stop cleanly\n`,
  )
  return {
    name,
    faults: restarts,
    acknowledged: found.responded,
    lost: found.lost.length + unclean,
    duplicated: 0,
  }
}

/** Starts a process and stops the oldest, repeatedly. Each promise resolves to whether that process stopped cleanly and in time. */
async function restart(service: ServiceProcesses, restarts: number): Promise<Promise<boolean>[]> {
  const stopped: Promise<boolean>[] = []
  for (let count = 0; count < restarts; count += 1) {
    await service.start()
    const oldest = service.processes.shift()
    if (oldest !== undefined) stopped.push(stop(oldest))
    await sleep(between_ms)
  }
  return stopped
}

/** Whether a process stopped cleanly and in time after SIGTERM. */
export async function stop({ child }: Pick<ServiceProcess, 'child'>): Promise<boolean> {
  const gone = once(child, 'exit')
  const signalledAt = performance.now()
  child.kill('SIGTERM')
  const [code] = await gone
  return code === 0 && performance.now() - signalledAt < maxStop_ms
}

/** A load balancer: polls the readiness of every process and picks among those that are ready. */
export function startLoadBalancer(
  service: Pick<ServiceProcesses, 'processes'>,
  abort: AbortSignal,
): () => string {
  let ready = service.processes.map(({ address }) => address)
  let turn = 0
  void (async () => {
    while (!abort.aborted) {
      const checks = service.processes.map(async ({ address }) => {
        const response = await fetch(`${address}/readyz`).catch(() => undefined)
        return response?.status === 200 ? address : undefined
      })
      const found = (await Promise.all(checks)).filter((address) => address !== undefined)
      if (found.length > 0) ready = found
      await sleep(pollInterval_ms)
    }
  })()
  return () => ready[(turn += 1) % ready.length] ?? ''
}

type RequestCounts = { responded: number; turned_away: number; lost: string[] }
type ClientOptions = { key: string; ready: () => string; found: RequestCounts; pause_ms: number }

async function callUntilAborted(
  abort: AbortSignal,
  { key, ready, found, pause_ms }: ClientOptions,
): Promise<void> {
  let connection: { agent: Agent; address: string } | undefined
  while (!abort.aborted) {
    connection ??= { agent: new Agent({ keepAlive: true, maxSockets: 1 }), address: ready() }
    const response = await getUsage(connection, key).catch((error: Error) => ({
      status: error.message,
      keep: false,
    }))
    if (response.status === 200) found.responded += 1
    else if (response.status === 503) found.turned_away += 1
    else found.lost.push(String(response.status))
    if (!response.keep) {
      connection.agent.destroy()
      connection = undefined
    }
    await sleep(pause_ms)
  }
  connection?.agent.destroy()
}

function getUsage({ agent, address }: { agent: Agent; address: string }, key: string) {
  return new Promise<{ status: number | undefined; keep: boolean }>((resolve, reject) => {
    const sent = request(
      `${address}/v1/usage`,
      { agent, headers: { authorization: `Bearer ${key}` } },
      (response) => {
        response.resume()
        response.on('end', () =>
          resolve({ status: response.statusCode, keep: response.headers.connection !== 'close' }),
        )
        response.on('error', reject)
      },
    )
    sent.on('error', reject).end()
  })
}
