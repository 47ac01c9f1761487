import { readServingConfig, type Config, type Secrets } from '../../config.ts'
import { processCount } from '../../config-values.ts'
import { openLog } from '../../platform/log.ts'
import type { StopReason } from '../../platform/processes/messages.ts'
import { connectToSupervisor, type SupervisorLink } from '../../platform/processes/supervisor-link.ts'
import { standardError } from '../../platform/standard-error.ts'
import { command, UsageError } from '../command.ts'
import { superviseProcesses } from './supervise-processes.ts'
import { exitAfter, untilShutdown } from './until-shutdown.ts'

/** In total less than `shutdownTimeout_ms`. Ctrl-C does not wait for idle connections. */
const drainTimes = {
  SIGTERM: { accept_ms: 2000, serve_ms: 10_000 },
  SIGINT: { accept_ms: 0, serve_ms: 500 },
  failed: { accept_ms: 2000, serve_ms: 5000 },
}

/** A child need not accept any longer once it is not wanted: the other processes do, or the supervisor that accepts is gone. */
const childDrainTimes = {
  ...drainTimes,
  failed: { accept_ms: 0, serve_ms: 5000, replaced: true },
  replaced: { accept_ms: 0, serve_ms: 10_000, replaced: true },
  orphaned: { accept_ms: 0, serve_ms: 10_000 },
}

export const serveCommand = command({
  options: {
    processes: {
      type: 'string',
      description:
        'run this many processes on one port, under a supervisor; 0 or auto: one for each core. WEB_CONCURRENCY does the same',
    },
  },
  async run({ values }) {
    const option = values.processes === undefined ? undefined : parseProcesses(values.processes)
    const supervisor = connectToSupervisor()
    if (supervisor !== undefined) return exitAfter(() => serveAsChild(supervisor, option ?? 1))
    const { config, secrets } = readServingConfig()
    const processes = option ?? config.WEB_CONCURRENCY
    if (processes !== undefined) return superviseProcesses({ config, secrets, processes })
    return exitAfter(() => serveAlone(config, secrets))
  },
})

function parseProcesses(given: string): number {
  const parsed = processCount.safeParse(given)
  if (!parsed.success) throw new UsageError(`--processes ${parsed.error.issues[0]?.message}`)
  return parsed.data
}

async function serveAlone(config: Config, secrets: Secrets): Promise<number> {
  // Not loaded by a supervisor, which needs none of it.
  const { serve } = await import('../../serve.ts')
  const serving = await serve({ config, secrets })
  process.stdout.write(`Vidimus is listening on ${serving.address}\n`)
  const reason = await untilShutdown(serving.ctx.log)
  await serving.stop(drainTimes[reason])
  return reason === 'failed' ? 1 : 0
}

/** One of several processes on a port. It reads the configuration itself, so that a new one has what has changed in files. */
async function serveAsChild(supervisor: SupervisorLink, processes: number): Promise<number> {
  try {
    const { config, secrets } = readServingConfig()
    const log = openLog({ ...config, process: supervisor.number }, standardError({ shared: true }))
    const { serve } = await import('../../serve.ts')
    const serving = await serve({
      config,
      secrets,
      log,
      processes,
      // The supervisor serves the metrics of all.
      async publishMetrics({ registry }) {
        supervisor.answerScrapes(registry)
        return undefined
      },
    })
    const stopped = untilShutdown<StopReason | 'orphaned'>(log, (stop) => supervisor.onStop(stop))
    await supervisor.reportReady(serving)
    const reason = await stopped
    if (reason === 'orphaned') log.error('the supervisor is gone: this process stops')
    await serving.stop({ ...childDrainTimes[reason], awaitClosed: () => supervisor.awaitClosed() })
    return reason === 'failed' ? 1 : 0
  } finally {
    await supervisor.close()
  }
}
