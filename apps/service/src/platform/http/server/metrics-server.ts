import { createServer, type Server, type ServerResponse } from 'node:http'
import type { Config } from '../../../config.ts'
import { maxOverdue_seconds, type LoopProgress } from '../../loop-progress.ts'
import type { Metrics } from '../../metrics.ts'

/** A scraper that does not send its request or read the response within this time is disconnected. */
export const scrapeTimeout_ms = 15_000
export const maxScrapers = 100

/**
 * Serves metrics on a separate port, which need not be open to callers, with `/healthz` while the process is up and, for a worker,
 * `/readyz` while its loops succeed. Undefined if it is off.
 */
export async function serveMetrics(
  { registry, loops }: Metrics,
  { METRICS_HOST, METRICS_PORT: port }: Pick<Config, 'METRICS_HOST' | 'METRICS_PORT'>,
): Promise<Server | undefined> {
  if (port === 'off') return undefined
  const server = createServer((request, response) => {
    const isWorker = loops.overdue().size > 0
    // Also while a worker waits for a restore and has no loops yet: an orchestrator must not restart it for that.
    if (request.url === '/healthz') sendJson(response, 200, { status: 'ok' })
    else if (request.url === '/readyz' && isWorker) sendReadiness(response, loops)
    else if (request.url === '/metrics')
      // No metric depends on anything outside the process.
      registry.metrics().then(
        (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
        () => response.writeHead(500).end(),
      )
    else response.writeHead(404).end()
  })
  server.requestTimeout = scrapeTimeout_ms
  server.setTimeout(scrapeTimeout_ms)
  server.maxConnections = maxScrapers
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, METRICS_HOST, resolve)
  })
  return server
}

function sendReadiness(response: ServerResponse, loops: LoopProgress): void {
  const late = Array.from(loops.overdue()).filter(
    ([, overdue_seconds]) => overdue_seconds > maxOverdue_seconds,
  )
  if (late.length === 0) sendJson(response, 200, { status: 'ready' })
  else sendJson(response, 503, { status: 'not ready', overdue_seconds: Object.fromEntries(late) })
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const retry = status === 503 ? { 'retry-after': '1' } : {}
  response.writeHead(status, { 'content-type': 'application/json', ...retry }).end(JSON.stringify(body))
}
