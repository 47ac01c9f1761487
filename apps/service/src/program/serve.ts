import { X509Certificate } from 'node:crypto'
import { type App, buildApp } from './app.ts'
import { programVersion } from '../engine/basics/index.ts'
import type { Config, Secrets } from '../engine/config/index.ts'
import { openContext, type ServiceContext } from './context.ts'
import { buildOperatorApp } from './operator-app.ts'
import { makePartitionsAhead, readHeartbeatAge } from '../engine/db/index.ts'
import {
  type DrainOptions,
  type Endpoint,
  type Readiness,
  drain,
  listeningUrl,
  serveMetrics,
  serveRefusal,
} from '../engine/http/index.ts'
import {
  type LedgerGuard,
  type RestorePendingError,
  explainLedger,
  ledgerReason,
  warnWithoutLedger,
} from '../engine/ledger/index.ts'
import { type Log, openTracing } from '../engine/observability/index.ts'
import { runEvery } from '../engine/scheduling/index.ts'
import { completeInDoubt } from '../operations/index.ts'
import { insertBuiltInTemplates } from '../templates/index.ts'
import { type Identity, listMetricsInterval_ms } from '../trust/index.ts'

const partitionInterval_ms = 3_600_000
const keyringInterval_ms = 60_000

export type ServeOptions = {
  config: Config
  secrets: Secrets
  log?: Log
  /** Further endpoints, for tests. */
  extra?: readonly Endpoint[]
}

export type RunningService = {
  ctx: ServiceContext
  /** Where it listens: `http://127.0.0.1:8080`. */
  address: string
  metrics_address: string | undefined
  /** Where operators are served, if they are. */
  operator_address: string | undefined
  stop(how: DrainOptions): Promise<void>
}

/** Starts the HTTP service and returns once it accepts requests. */
export async function serve({ config, secrets, log, extra = [] }: ServeOptions): Promise<RunningService> {
  // If a step below fails, everything opened before it is closed.
  await using resources = new AsyncDisposableStack()
  const ctx = resources.use(await openContext({ config, secrets, ...(log !== undefined && { log }) }))
  resources.use(await openTracing(ctx, secrets))
  warnWithoutLedger(ctx)
  let readiness: () => Promise<Readiness> = async () => ({
    ready: false,
    detail: { reason: 'The process is starting.' },
  })
  const metrics = await serveMetrics(ctx.metrics, config, () => readiness())
  resources.defer(() => metrics?.close().closeAllConnections())
  if (ctx.ledgerGuard !== undefined) {
    await waitForRestore(ctx.ledgerGuard, config, (pending) => {
      readiness = async () => ({ ready: false, detail: { reason: explainLedger(pending) } })
    })
    resources.use(ctx.ledgerGuard.watch())
  }
  await makePartitionsAhead(ctx.db)
  // A worker completes them too, if this fails.
  await completeInDoubt(ctx).catch((error: unknown) =>
    ctx.log.error({ err: error }, 'could not complete interrupted erasures'),
  )
  await insertBuiltInTemplates(ctx)
  ctx.metrics.certificateEnd.set(certificateEnd_seconds(await ctx.identity()))
  await ctx.trust.updateListMetrics()
  const app = buildApp(ctx, extra)
  resources.defer(() => app.close())
  await app.listen({ host: config.HOST, port: config.PORT })
  const operatorApp = await listenForOperators(ctx)
  resources.defer(() => operatorApp?.close())
  readiness = readReadiness(ctx, app)
  resources.use(
    runEvery(
      partitionInterval_ms,
      () => makePartitionsAhead(ctx.db),
      (error) => ctx.log.error({ err: error }, 'could not create partitions'),
    ),
  )
  resources.use(
    runEvery(
      listMetricsInterval_ms,
      () => ctx.trust.updateListMetrics(),
      (error) => ctx.log.warn({ err: error }, 'could not measure trust lists'),
    ),
  )
  resources.use(
    runEvery(
      keyringInterval_ms,
      () => ctx.keyring.reload(),
      (error) => ctx.log.warn({ err: error }, 'could not reload the key ring'),
    ),
  )
  const address = listeningUrl(app.server.address())
  const metrics_address = metrics && listeningUrl(metrics.address())
  const operator_address = operatorApp && listeningUrl(operatorApp.server.address())
  ctx.log.info({ version: programVersion(), address, metrics_address, operator_address }, 'serving')
  const openResources = resources.move()
  return {
    ctx,
    address,
    metrics_address,
    operator_address,
    async stop(how) {
      ctx.log.info('stopping')
      app.beginDraining()
      operatorApp?.beginDraining()
      await drain(app, how)
      await openResources.disposeAsync()
    },
  }
}

/** The console and its API have a listener of their own, which is off unless a port is set. Another `serve` on this machine may have it. */
async function listenForOperators(ctx: ServiceContext) {
  const { OPERATOR_HOST: host, OPERATOR_PORT: port } = ctx.config
  if (port === 'off') return undefined
  const app = buildOperatorApp(ctx)
  try {
    await app.listen({ host, port })
    return app
  } catch (error) {
    await app.close()
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    ctx.log.warn({ port }, 'OPERATOR_PORT is in use, so this process has no console')
    return undefined
  }
}

/** While the database lacks entries of the erasure ledger, only `/healthz` succeeds and everything else is refused. */
async function waitForRestore(
  guard: LedgerGuard,
  config: Config,
  onPending: (reason: RestorePendingError) => void,
): Promise<void> {
  await using waiting = new AsyncDisposableStack()
  await guard.untilComplete(async (reason) => {
    onPending(reason)
    waiting.use(await serveRefusal(config, reason))
  })
}

/** `/readyz` for the operator, on the metrics port: also why a restored database is refused, which is nobody else's business, and whether a worker runs. */
function readReadiness({ db }: ServiceContext, app: App): () => Promise<Readiness> {
  return async () => {
    const suspended = db.suspended()
    const refused = suspended && ledgerReason(suspended)
    const reason = refused === undefined ? await app.readiness() : explainLedger(refused)
    // A request does not depend on a worker, so its absence makes no process unready.
    const age_seconds = reason === undefined ? await readHeartbeatAge(db).catch(() => undefined) : undefined
    const worker = age_seconds === undefined ? 'never ran' : `ran ${Math.round(age_seconds)} s ago`
    return reason === undefined ? { ready: true, detail: { worker } } : { ready: false, detail: { reason } }
  }
}

function certificateEnd_seconds({ x5c: [leaf = ''] }: Pick<Identity, 'x5c'>): number {
  return new X509Certificate(Buffer.from(leaf, 'base64')).validToDate.getTime() / 1000
}
