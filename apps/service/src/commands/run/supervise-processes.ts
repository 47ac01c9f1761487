import cluster from 'node:cluster'
import { Counter, Gauge, Registry } from 'prom-client'
import { ConfigError, type Config, type Secrets } from '../../config.ts'
import { listenForScrapes } from '../../platform/http/server/metrics-server.ts'
import { openLog } from '../../platform/log.ts'
import { openMergedMetrics } from '../../platform/processes/merge-metrics.ts'
import { startChild } from '../../platform/processes/start-child.ts'
import { openSupervisor, type Supervisor } from '../../platform/processes/supervisor.ts'
import { standardError } from '../../platform/standard-error.ts'
import { untilShutdown } from './until-shutdown.ts'

type SuperviseProcesses = { config: Config; secrets: Secrets; processes: number }

/**
 * Runs `serve` in several processes that share its port (ADR 54): restarts those that crash, replaces them one by one on SIGHUP,
 * and serves the metrics of all.
 */
export async function superviseProcesses({
  config,
  secrets,
  processes,
}: SuperviseProcesses): Promise<number> {
  requireSharedLimits(config, secrets, processes)
  const log = openLog(config, standardError({ shared: true }))
  cluster.setupPrimary({ args: ['serve', '--processes', String(processes)] })
  // Node's default, except on Windows. The supervisor accepts, so that no connection is lost with the process that would have accepted it.
  cluster.schedulingPolicy = cluster.SCHED_RR

  const merged = openMergedMetrics()
  const own = openSupervisorMetrics(() => supervisor)
  const supervisor = openSupervisor({
    count: processes,
    start: startChild,
    log,
    onEnded: (child) => merged.keepTotals(child.lastMetrics()),
    onCrashed: () => own.crashes.inc(),
  })
  process.on('exit', () => supervisor.killAll())
  const metrics = await listenForScrapes(config, {
    async scrape() {
      await Promise.all(supervisor.children().map((child) => child.askMetrics()))
      const snapshots = supervisor.children().map((child) => child.lastMetrics())
      return `${await merged.render(snapshots)}${await own.registry.metrics()}`
    },
    async readiness() {
      const ready = supervisor.children().filter((child) => child.state() === 'ready')
      const answers = await Promise.all(ready.map((child) => child.askReadiness()))
      return { ready: answers.includes(true) }
    },
  })
  const shutdown = untilShutdown(log)
  const started = supervisor.startAll()
  const first = await Promise.race([started, shutdown.then(() => 'stopped' as const)])
  if (first === undefined) {
    metrics?.close().closeAllConnections()
    return 1
  }
  if (first !== 'stopped') {
    process.stdout.write(`Vidimus is listening on ${first}\n`)
    log.info({ processes, address: first }, 'serving with several processes')
    process.on('SIGHUP', () => {
      supervisor
        .replaceAll()
        .catch((error: unknown) => log.error({ err: error }, 'could not replace processes'))
    })
  }
  const reason = await Promise.race([shutdown, supervisor.gaveUp])
  const exitedCleanly = await supervisor.stop(reason === 'SIGINT' ? 'SIGINT' : 'SIGTERM')
  metrics?.close().closeAllConnections()
  return reason === 'failed' || !exitedCleanly ? 1 : 0
}

/** Without Redis each process counts on its own, so that a caller could send as many times the limit as there are processes. */
function requireSharedLimits(
  { NODE_ENV, RATE_LIMITS }: Config,
  { REDIS_URL }: Secrets,
  processes: number,
): void {
  if (NODE_ENV === 'production' && RATE_LIMITS !== 'off' && REDIS_URL === undefined && processes > 1)
    throw new ConfigError([
      `REDIS_URL is required in production with ${processes} processes, which share rate limits through Redis`,
    ])
}

function openSupervisorMetrics(supervisor: () => Supervisor) {
  const registry = new Registry()
  const registers = [registry]
  const states = ['starting', 'ready', 'stopping'] as const
  const processes = new Gauge({
    name: 'vidimus_processes',
    help: 'Processes of this supervisor by state: starting, ready or stopping.',
    labelNames: ['state'] as const,
    registers,
    collect() {
      for (const state of states)
        this.set(
          { state },
          supervisor()
            .children()
            .filter((child) => child.state() === state).length,
        )
    },
  })
  const crashes = new Counter({
    name: 'vidimus_process_crashes_total',
    help: 'Processes that ended without being told to.',
    registers,
  })
  return { registry, processes, crashes }
}
