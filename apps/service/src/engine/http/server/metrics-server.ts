import { createServer, type Server, type ServerResponse } from 'node:http'
import { prometheusContentType } from 'prom-client'
import type { AddressInfo } from 'node:net'
import { programVersion } from '../../basics/version.ts'
import { type Config, reachableUrl } from '../../config/config.ts'
import { maxOverdue_seconds, type LoopProgress } from '../../observability/loop-progress.ts'
import type { Metrics } from '../../observability/metrics.ts'

/** A scraper that does not send its request or read the response within this time is disconnected. */
export const scrapeTimeout_ms = 15_000
export const maxScrapers = 100

type MetricsAddress = Pick<Config, 'METRICS_HOST' | 'METRICS_PORT'>

/** `detail` says why it is not, and what else an operator should know. */
export type Readiness = { ready: boolean; detail?: object }

/** Serves metrics on a separate port, which need not be open to callers, with `/readyz` for the operator. Undefined if it is off. */
export function serveMetrics(
  { registry }: Pick<Metrics, 'registry'>,
  address: MetricsAddress,
  readiness: () => Promise<Readiness>,
): Promise<Server | undefined> {
  // No metric depends on anything outside the process.
  return listenForScrapes(address, { scrape: () => registry.metrics(), readiness, isAlive: false })
}

/** The same for a worker, with its health: `/healthz` while the process is up, `/readyz` while its loops succeed. */
export function serveWorkerMetrics(
  { registry, loops }: Pick<Metrics, 'registry' | 'loops'>,
  address: MetricsAddress,
): Promise<Server | undefined> {
  return listenForScrapes(address, {
    scrape: () => registry.metrics(),
    readiness: () => readLoops(loops),
    isAlive: true,
  })
}

type Scrapes = {
  scrape: () => Promise<string>
  readiness: () => Promise<Readiness> | Readiness
  /** Whether `/healthz` is here. `serve` has it on its public port. */
  isAlive: boolean
}

/** Serves scrapes and health checks. Undefined if METRICS_PORT is off. */
async function listenForScrapes(
  { METRICS_HOST, METRICS_PORT: port }: MetricsAddress,
  { scrape, readiness, isAlive }: Scrapes,
): Promise<Server | undefined> {
  if (port === 'off') return undefined
  async function respond(url: string | undefined, response: ServerResponse): Promise<void> {
    if (url === '/healthz' && isAlive) return sendJson(response, 200, { status: 'ok' })
    if (url === '/metrics')
      return void response.writeHead(200, { 'content-type': prometheusContentType }).end(await scrape())
    if (url !== '/readyz') return void response.writeHead(404).end()
    const { ready, detail } = await readiness()
    const status = ready ? 'ready' : 'not ready'
    sendJson(response, ready ? 200 : 503, { status, version: programVersion(), ...detail })
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

export function listeningUrl(listening: AddressInfo | string | null): string {
  if (listening === null || typeof listening === 'string')
    throw new Error('the server does not listen on a port')
  return reachableUrl(listening.address, listening.port)
}

/** There are no loops while a worker waits for a restore. It is alive then, so that nothing restarts it, but not ready. */
function readLoops(loops: LoopProgress): Readiness {
  const overdue = loops.overdue()
  const late = Array.from(overdue).filter(([, overdue_seconds]) => overdue_seconds > maxOverdue_seconds)
  return {
    ready: overdue.size > 0 && late.length === 0,
    ...(late.length > 0 && { detail: { overdue_seconds: Object.fromEntries(late) } }),
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const retry = status === 503 ? { 'retry-after': '1' } : {}
  response.writeHead(status, { 'content-type': 'application/json', ...retry }).end(JSON.stringify(body))
}
