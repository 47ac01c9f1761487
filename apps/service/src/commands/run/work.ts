import { readServingConfig } from '../../config.ts'
import { openContext, type Context } from '../../context.ts'
import { requireSessions } from '../../platform/db/connection/require-sessions.ts'
import { serveMetrics } from '../../platform/http/server/metrics-server.ts'
import { runWorker } from '../../worker.ts'
import { command, printMessage } from '../command.ts'
import { untilShutdown } from './until-shutdown.ts'

export const workCommand = command({
  summary: 'Runs the background worker: webhooks, sweeps, audit sequencing, list refresh.',
  options: {},
  async run() {
    await using ctx = await openContext(readServingConfig())
    await requireSessions(ctx.db)
    const stop = new AbortController()
    const metrics = await serveMetricsIfFree(ctx)
    const reason = untilShutdown(ctx.log).finally(() => stop.abort())
    printMessage('Vidimus works.')
    await runWorker(ctx, stop.signal)
    metrics?.close()
    metrics?.closeAllConnections()
    return (await reason) === 'failed' ? 1 : 0
  },
})

/** `serve` on the same machine may have the port already. Work is more than its figures. */
async function serveMetricsIfFree({ metrics, config }: Context) {
  try {
    return await serveMetrics(metrics, config)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    printMessage(`METRICS_PORT ${config.METRICS_PORT} is taken: the metrics of this worker are not shown.`)
    return undefined
  }
}
