import type { AddressInfo } from 'node:net'
import { buildApp } from './app.ts'
import type { Config, Secrets } from './config.ts'
import { openContext, type Context } from './context.ts'
import { makePartitionsAhead } from './platform/db/schema/partitions.ts'
import { requireSessions } from './platform/db/connection/require-sessions.ts'
import { drain, type DrainTimes } from './platform/http/server/drain.ts'
import type { Endpoint } from './platform/http/endpoint.ts'
import { serveMetrics } from './platform/http/server/metrics-server.ts'
import type { Log } from './platform/log.ts'
import { runEvery } from './platform/run-every.ts'
import { insertBuiltInTemplates } from './templates/built-in.ts'
import { listMetricsInterval_ms } from './trust/lists/metrics.ts'

const partitionsEvery_ms = 3_600_000

export type Serve = {
  config: Config
  secrets: Secrets
  log?: Log
  /** Endpoints beside the service's own; tests probe with them. */
  extra?: readonly Endpoint[]
}

export type Serving = {
  ctx: Context
  /** Where it answers: `http://127.0.0.1:8080`. */
  address: string
  metrics_address: string | undefined
  stop(how: DrainTimes): Promise<void>
}

/** Starts the HTTP service and returns once it answers. */
export async function serve({ config, secrets, log, extra = [] }: Serve): Promise<Serving> {
  // Whatever fails below, what was opened before it is closed again.
  await using opened = new AsyncDisposableStack()
  const ctx = opened.use(await openContext({ config, secrets, ...(log !== undefined && { log }) }))
  await requireSessions(ctx.db)
  await makePartitionsAhead(ctx.db)
  await insertBuiltInTemplates(ctx.db)
  await ctx.identity()
  await ctx.trust.updateListMetrics()
  const app = buildApp(ctx, extra)
  opened.defer(() => app.close())
  await app.listen({ host: config.HOST, port: config.PORT })
  const metrics = await serveMetrics(ctx.metrics, config)
  opened.defer(() => metrics?.close().closeAllConnections())
  opened.use(
    runEvery(
      partitionsEvery_ms,
      () => makePartitionsAhead(ctx.db),
      (error) => ctx.log.error({ err: error }, 'no partitions were made'),
    ),
  )
  opened.use(
    runEvery(
      listMetricsInterval_ms,
      () => ctx.trust.updateListMetrics(),
      (error) => ctx.log.warn({ err: error }, 'trust lists were not measured'),
    ),
  )
  const address = addressOf(app.server.address())
  const metrics_address = metrics && addressOf(metrics.address())
  ctx.log.info({ address, metrics_address }, 'serving')
  const running = opened.move()
  return {
    ctx,
    address,
    metrics_address,
    async stop(how) {
      ctx.log.info('stopping')
      app.beginDraining()
      await drain(app, how)
      await running.disposeAsync()
    },
  }
}

/** An address that can be called: `0.0.0.0` and `::` mean every interface, and this machine is one. */
function addressOf(bound: AddressInfo | string | null): string {
  if (bound === null || typeof bound === 'string') throw new Error('the server has no port')
  const host = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[bound.address] ?? bound.address
  return `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${bound.port}`
}
