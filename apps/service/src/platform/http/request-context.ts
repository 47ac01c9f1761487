import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { actorOf, type Member, type Principal } from '../principal.ts'
import type { HttpContext } from './http-context.ts'

/** What is known of a request beside what it asks: who, of which session, and what kind of body it says it has. */
type RequestContext = {
  principal?: Principal | Member
  /** The keyed hash of its id. */
  session?: (() => string) | undefined
  contentType?: string | undefined
}

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be merged
  interface FastifyRequest {
    requestContext: RequestContext
  }
}

/** A UUID or hexadecimal digits. Nothing else comes back or is logged: a caller may put a secret there by mistake. */
const requestIdPattern = /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{16,64})$/i
/** W3C Trace Context, version 00. */
const traceparentPattern = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])
/** For a caller that hung up before its answer: no status was sent, and this one says so. */
const clientClosedRequest = 499

/** The caller's own request id where it is well-formed, else a new one (GEN-6). */
export function requestId({ headers }: { headers: IncomingMessage['headers'] }): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && requestIdPattern.test(given) ? given : randomUUID()
}

/** Counts a request, and logs it once it is over. */
export function trackRequest(http: HttpContext, request: FastifyRequest, reply: FastifyReply): void {
  http.pressure.enter()
  http.metrics.activeRequests.inc()
  // Fastify's own watch runs only with its own logger.
  const started = performance.now()
  // Not when the answer is finished: a caller that hangs up is to be counted too.
  reply.raw.once('close', () =>
    recordRequest(http, request, { reply, duration_ms: performance.now() - started }),
  )
}

type CompletedRequest = { reply: FastifyReply; duration_ms: number }

function recordRequest(
  { log, metrics, pressure }: HttpContext,
  request: FastifyRequest,
  { reply, duration_ms }: CompletedRequest,
): void {
  pressure.leave()
  metrics.activeRequests.dec()
  const method = methods.has(request.method) ? request.method : '_OTHER'
  const route = routePattern(request)
  const status = reply.raw.writableFinished ? reply.statusCode : clientClosedRequest
  metrics.requestDuration.observe(
    { http_request_method: method, http_route: route, http_response_status_code: status },
    duration_ms / 1000,
  )
  if (!log.isLevelEnabled('info')) return
  const { principal, session } = request.requestContext
  log.request({
    request_id: request.id,
    trace_id: traceId(request),
    method,
    route,
    status,
    duration_ms: Math.round(duration_ms * 1000) / 1000,
    ip: loggableAddress(request.ip),
    tenant_id: principal?.tenant_id,
    actor: principal && actorOf(principal),
    session: session?.(),
  })
}

/** A proxy may forward anything as an address. */
function loggableAddress(ip: string): string {
  return isIP(ip) === 0 ? 'unknown' : ip
}

/** The pattern, never the address: that holds ids which are capabilities. */
export function routePattern({ routeOptions }: FastifyRequest): string {
  return routeOptions.url ?? 'none'
}

function traceId({ headers }: FastifyRequest): string | undefined {
  const given = headers['traceparent']
  return typeof given === 'string' ? traceparentPattern.exec(given)?.[1] : undefined
}
