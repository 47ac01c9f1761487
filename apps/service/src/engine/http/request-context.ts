import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { actorOf, type Member, type OperatorPrincipal, type Principal } from '../basics/principal.ts'
import type { Work } from '../scheduling/work.ts'
import { readTraceparent } from '../observability/spans.ts'
import { knownMethod } from './mount.ts'
import { describeApiRequest, sentStatus } from './describe-api-request.ts'
import type { ServerContext } from './endpoint.ts'
import { tracedAs } from './trace-requests.ts'

/** What the service knows about a request besides its content: the caller, the verification, and the media type of the body. */
type RequestContext = {
  /** The route pattern, never the URL, which contains ids that are capabilities. */
  route: string
  principal?: Principal | Member
  operator?: OperatorPrincipal
  /** Set once the request has its turn. */
  work?: Work | undefined
  /** The keyed hash of the verification id. */
  verification?: string | undefined
  contentType?: string | undefined
  /** The code of the error that was sent. */
  error_code?: string
  /** The verification that the handler created. */
  verification_id?: string
}

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be merged
  interface FastifyRequest {
    requestContext: RequestContext
  }
}

/** A UUID or hexadecimal digits. Nothing else is echoed or logged, because a caller may send a secret by mistake. */
const requestIdPattern = /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{16,64})$/i

/** The caller's request id if it is well-formed, otherwise a new one (GEN-6). */
export function requestId({ headers }: { headers: IncomingMessage['headers'] }): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && requestIdPattern.test(given) ? given : randomUUID()
}

/** A load balancer sends several each second. One that fails is logged like any request. */
const healthChecks = new Set(['/healthz', '/readyz'])

/** Counts a request, and logs it when it ends. A health check that succeeds is logged at level debug only. */
export function trackRequest(http: ServerContext, request: FastifyRequest, reply: FastifyReply): void {
  http.metrics.activeRequests.inc()
  // Fastify measures the time only with its own logger.
  const started = performance.now()
  // Not on `finish`: a client that disconnects must be counted too. A response closes only once, and `on` is cheaper than `once`.
  reply.raw.on('close', () => {
    try {
      recordRequest(http, request, { reply, duration_ms: performance.now() - started })
    } catch (error) {
      // Nothing should throw here, and whatever does must not end the process: the response was sent.
      http.log.error({ err: error }, 'could not record a request')
    }
  })
}

type CompletedRequest = { reply: FastifyReply; duration_ms: number }

function recordRequest(
  { log, metrics, recordApiRequest }: ServerContext,
  request: FastifyRequest,
  { reply, duration_ms }: CompletedRequest,
): void {
  const method = knownMethod(request.method)
  const { route, principal, operator, verification, error_code, work } = request.requestContext
  work?.end()
  const status = sentStatus(reply)
  metrics.activeRequests.dec()
  metrics.requestDuration.observe(
    { http_request_method: method, http_route: route, http_response_status_code: status },
    duration_ms / 1000,
  )
  const apiRequest = recordApiRequest && describeApiRequest(request, reply, { method, status, duration_ms })
  if (apiRequest !== undefined) recordApiRequest?.(apiRequest)
  if (!log.isLevelEnabled('info')) return
  if (healthChecks.has(route) && status === 200 && !log.isLevelEnabled('debug')) return
  log.request({
    request_id: request.id,
    trace_id: traceId(request),
    method,
    route,
    status,
    duration_ms: Math.round(duration_ms * 1000) / 1000,
    ip: loggableAddress(request.ip),
    tenant_id: principal?.tenant_id ?? work?.tenant_id,
    waits: work?.waits,
    actor: principal === undefined ? operator && `operator:${operator.operator_id}` : actorOf(principal),
    verification,
    code: error_code,
  })
}

/** A proxy may forward anything as an address. */
function loggableAddress(ip: string): string {
  return isIP(ip) === 0 ? 'unknown' : ip
}

/** Of our own trace, or of the caller's if the request is not traced. */
function traceId(request: FastifyRequest): string | undefined {
  return tracedAs(request) ?? readTraceparent(request.headers['traceparent'])?.traceId
}
