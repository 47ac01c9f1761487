import { createServer } from 'node:http'
import { requestId } from '../request-context.ts'
import type { Config } from '../../config/config.ts'
import type { Refusal } from '../../basics/refusal.ts'
import { errorEnvelope } from '../envelope.ts'

const requestTimeout_ms = 5000

/** Listens where the service will and refuses everything but `/healthz`, until disposed of. */
export async function serveRefusal(
  { HOST, PORT }: Pick<Config, 'HOST' | 'PORT'>,
  { code, message, retryAfter_seconds }: Refusal,
): Promise<AsyncDisposable> {
  const { status, headers, body } = errorEnvelope(code, message, retryAfter_seconds)
  const server = createServer((request, response) => {
    if (request.url === '/healthz')
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end('{"status":"ok"}')
    else
      response
        .writeHead(status, { ...headers, 'x-request-id': requestId(request), 'cache-control': 'no-store' })
        .end(body)
  })
  server.requestTimeout = requestTimeout_ms
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(PORT, HOST, resolve)
  })
  return {
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve()).closeAllConnections()
      }),
  }
}
