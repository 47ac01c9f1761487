import { requireCheckpointFolder } from '../../../audit/index.ts'
import { readServingConfig } from '../../../engine/config/index.ts'
import { openContext, type ServiceContext } from '../../context.ts'
import { serveWorkerMetrics } from '../../../engine/http/index.ts'
import { warnWithoutLedger } from '../../../engine/ledger/index.ts'
import { openTracing } from '../../../engine/observability/index.ts'
import { runWorker } from '../../worker.ts'
import { command, printMessage } from '../command.ts'
import { exitAfter, untilShutdown } from './until-shutdown.ts'

export const workCommand = command({
  options: {},
  run: () => exitAfter(work),
})

async function work(): Promise<number> {
  const settings = readServingConfig()
  requireCheckpointFolder(settings.config)
  await using ctx = await openContext(settings)
  await using tracing = new AsyncDisposableStack()
  tracing.use(await openTracing(ctx, settings.secrets))
  warnWithoutLedger(ctx)
  using resources = new DisposableStack()
  const metrics = await serveMetricsIfFree(ctx)
  resources.defer(() => metrics?.close().closeAllConnections())
  if (ctx.ledgerGuard !== undefined) {
    await ctx.ledgerGuard.untilComplete(async ({ explanation }) => printMessage(explanation))
    resources.use(ctx.ledgerGuard.watch())
  }
  const stop = new AbortController()
  const reason = untilShutdown(ctx.log).finally(() => stop.abort())
  printMessage('Vidimus worker is running.')
  await runWorker(ctx, stop.signal)
  return (await reason) === 'failed' ? 1 : 0
}

/** `serve` on the same machine may already use the port. The worker then runs without metrics. */
async function serveMetricsIfFree({ metrics, config }: ServiceContext) {
  try {
    return await serveWorkerMetrics(metrics, config)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    printMessage(`METRICS_PORT ${config.METRICS_PORT} is in use, so this worker has no metrics.`)
    return undefined
  }
}
