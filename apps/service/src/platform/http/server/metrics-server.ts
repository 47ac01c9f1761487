import { createServer, type Server } from 'node:http'
import type { Config } from '../../../config.ts'
import type { Metrics } from '../../metrics.ts'

/** A scraper that does not send its request or read the response within this time is disconnected. */
export const scrapeTimeout_ms = 15_000
export const maxScrapers = 100

/** Serves metrics on a separate port, which need not be open to callers. Undefined if it is off. */
export async function serveMetrics(
  { registry }: Metrics,
  { METRICS_HOST, METRICS_PORT: port }: Pick<Config, 'METRICS_HOST' | 'METRICS_PORT'>,
): Promise<Server | undefined> {
  if (port === 'off') return undefined
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    // No metric depends on anything outside the process.
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  server.requestTimeout = scrapeTimeout_ms
  server.setTimeout(scrapeTimeout_ms)
  server.maxConnections = maxScrapers
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, METRICS_HOST, resolve)
  })
  return server
}
