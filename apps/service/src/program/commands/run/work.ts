import { requireCheckpointFolder } from '../../../audit/index.ts'
import { readServingConfig } from '../../../engine/config/index.ts'
import { openContext, type ServiceContext } from '../../context.ts'
import { listeningUrl, serveWorkerMetrics } from '../../../engine/http/index.ts'
import { warnWithoutLedger } from '../../../engine/ledger/index.ts'
import { openTracing } from '../../../engine/observability/index.ts'
import { runWorker } from '../../worker.ts'
import { programVersion } from '../../../engine/basics/index.ts'
import { command } from '../command.ts'
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
    // The guard logs why.
    await ctx.ledgerGuard.untilComplete(async () => {})
    resources.use(ctx.ledgerGuard.watch())
  }
  const stop = new AbortController()
  const reason = untilShutdown(ctx.log).finally(() => stop.abort())
  const metrics_address = metrics && listeningUrl(metrics.address())
  ctx.log.info({ version: programVersion(), metrics_address }, 'working')
  // As `serve` does: standard error has only lines of JSON.
  process.stdout.write('Vidimus worker is running.\n')
  await runWorker(ctx, stop.signal)
  return (await reason) === 'failed' ? 1 : 0
}

/** `serve` on the same machine may already use the port. The worker then runs without metrics. */
async function serveMetricsIfFree({ metrics, config, log }: ServiceContext) {
  try {
    return await serveWorkerMetrics(metrics, config)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    log.warn({ port: config.METRICS_PORT }, 'METRICS_PORT is in use, so this worker has no metrics')
    return undefined
  }
}
