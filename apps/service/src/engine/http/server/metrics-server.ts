import { createServer, type Server, type ServerResponse } from 'node:http'
import { prometheusContentType } from 'prom-client'
import type { Config } from '../../config/config.ts'
import { maxOverdue_seconds, type LoopProgress } from '../../observability/loop-progress.ts'
import type { Metrics } from '../../observability/metrics.ts'

/** A scraper that does not send its request or read the response within this time is disconnected. */
export const scrapeTimeout_ms = 15_000
export const maxScrapers = 100

type MetricsAddress = Pick<Config, 'METRICS_HOST' | 'METRICS_PORT'>

/** `detail` says why it is not. */
type Readiness = { ready: boolean; detail?: object }

/** Serves metrics on a separate port, which need not be open to callers. Undefined if it is off. */
export function serveMetrics(
  { registry }: Pick<Metrics, 'registry'>,
  address: MetricsAddress,
): Promise<Server | undefined> {
  // No metric depends on anything outside the process.
  return listenForScrapes(address, { scrape: () => registry.metrics() })
}

/** The same for a worker, with its health: `/healthz` while the process is up, `/readyz` while its loops succeed. */
export function serveWorkerMetrics(
  { registry, loops }: Pick<Metrics, 'registry' | 'loops'>,
  address: MetricsAddress,
): Promise<Server | undefined> {
  return listenForScrapes(address, { scrape: () => registry.metrics(), readiness: () => readLoops(loops) })
}

type Scrapes = {
  scrape: () => Promise<string>
  /** For `/readyz`. Without it there is no health here: the process has it on its public port. */
  readiness?: () => Promise<Readiness> | Readiness
}

/** Serves scrapes and health checks. Undefined if METRICS_PORT is off. */
async function listenForScrapes(
  { METRICS_HOST, METRICS_PORT: port }: MetricsAddress,
  { scrape, readiness }: Scrapes,
): Promise<Server | undefined> {
  if (port === 'off') return undefined
  async function respond(url: string | undefined, response: ServerResponse): Promise<void> {
    if (url === '/healthz' && readiness !== undefined) return sendJson(response, 200, { status: 'ok' })
    if (url === '/metrics')
      return void response.writeHead(200, { 'content-type': prometheusContentType }).end(await scrape())
    const found = url === '/readyz' ? await readiness?.() : undefined
    if (found === undefined) response.writeHead(404).end()
    else if (found.ready) sendJson(response, 200, { status: 'ready' })
    else sendJson(response, 503, { status: 'not ready', ...found.detail })
  }
  const server = createServer((request, response) => {
    respond(request.url, response).catch(() => response.writeHead(500).end())
  })
  server.requestTimeout = scrapeTimeout_ms
  server.setTimeout(scrapeTimeout_ms)
  server.maxConnections = maxScrapers
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, METRICS_HOST, resolve)
  })
  return server
}

/** There are no loops while a worker waits for a restore. It is alive then, so that nothing restarts it, but not ready. */
function readLoops(loops: LoopProgress): Readiness {
  const overdue = loops.overdue()
  const late = Array.from(overdue).filter(([, overdue_seconds]) => overdue_seconds > maxOverdue_seconds)
  return {
    ready: overdue.size > 0 && late.length === 0,
    detail: { overdue_seconds: Object.fromEntries(late) },
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const retry = status === 503 ? { 'retry-after': '1' } : {}
  response.writeHead(status, { 'content-type': 'application/json', ...retry }).end(JSON.stringify(body))
}
