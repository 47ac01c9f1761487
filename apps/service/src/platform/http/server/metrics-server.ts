import { createServer, type Server, type ServerResponse } from 'node:http'
import { prometheusContentType } from 'prom-client'
import type { Config } from '../../../config.ts'
import { maxOverdue_seconds, type LoopProgress } from '../../loop-progress.ts'
import type { Metrics } from '../../metrics.ts'

/** A scraper that does not send its request or read the response within this time is disconnected. */
export const scrapeTimeout_ms = 15_000
export const maxScrapers = 100

type MetricsAddress = Pick<Config, 'METRICS_HOST' | 'METRICS_PORT'>

/** `detail` says why it is not. */
type Readiness = { ready: boolean; detail?: object }

/**
 * Serves metrics on a separate port, which need not be open to callers, with `/healthz` while the process is up and, for a worker,
 * `/readyz` while its loops succeed. Undefined if it is off.
 */
export function serveMetrics(
  { registry, loops }: Pick<Metrics, 'registry' | 'loops'>,
  address: MetricsAddress,
): Promise<Server | undefined> {
  return listenForScrapes(address, {
    // No metric depends on anything outside the process.
    scrape: () => registry.metrics(),
    readiness: () => (loops.overdue().size > 0 ? readLoops(loops) : undefined),
  })
}

type Scrapes = {
  scrape: () => Promise<string>
  /** For `/readyz`. Undefined if there is none: the process has it on its public port. */
  readiness: () => Promise<Readiness> | Readiness | undefined
}

/** Answers scrapes and health checks. Undefined if METRICS_PORT is off. */
export async function listenForScrapes(
  { METRICS_HOST, METRICS_PORT: port }: MetricsAddress,
  { scrape, readiness }: Scrapes,
): Promise<Server | undefined> {
  if (port === 'off') return undefined
  async function respond(url: string | undefined, response: ServerResponse): Promise<void> {
    // Also while a worker waits for a restore and has no loops yet: an orchestrator must not restart it for that.
    if (url === '/healthz') return sendJson(response, 200, { status: 'ok' })
    if (url === '/metrics')
      return void response.writeHead(200, { 'content-type': prometheusContentType }).end(await scrape())
    const found = url === '/readyz' ? await readiness() : undefined
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

function readLoops(loops: LoopProgress): Readiness {
  const late = Array.from(loops.overdue()).filter(
    ([, overdue_seconds]) => overdue_seconds > maxOverdue_seconds,
  )
  return { ready: late.length === 0, detail: { overdue_seconds: Object.fromEntries(late) } }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const retry = status === 503 ? { 'retry-after': '1' } : {}
  response.writeHead(status, { 'content-type': 'application/json', ...retry }).end(JSON.stringify(body))
}
