import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { connectionBounds, openBoundedServer } from './bounded-server.ts'
import { handleUnmatched, respondToMalformedRequest } from './handle-unmatched.ts'
import { addressKey, createProxyCheck } from '../guard/client-address.ts'
import { Refusal } from '../../basics/refusal.ts'
import { databaseFailure } from '../../db/failures.ts'
import { openSlots } from '../../scheduling/slots.ts'
import type { ServerContext } from '../endpoint.ts'
import { toErrorResponse } from '../envelope.ts'
import { callerKeys, limitRequest } from '../guard/rate-limit.ts'
import { endTurn, takeTurn } from '../guard/take-turn.ts'
import { invalidRequest } from '../request/parse-body.ts'
import { toChunks, chunk_bytes } from './send-in-chunks.ts'
import { trackRequest, requestId } from '../request-context.ts'
import { traceRequests } from '../trace-requests.ts'

export const serverBounds = {
  headers_bytes: 16 * 1024,
  headers_ms: 15_000,
  /** One second more than the time limit of a body, so that the time-out is reported in the envelope. */
  request_ms: 16_000,
  check_ms: 1000,
  /** Longer than load balancers keep an idle connection, so that they close it first. */
  keep_alive_ms: 72_000,
  url_characters: 2048,
}

/** Unread bytes of large responses, per tenant or address and in this process. */
export const maxResponseBytesInUse = { each: 24 * 1024 * 1024, all: 96 * 1024 * 1024 }
const responseBytesInUse = openSlots(maxResponseBytesInUse)

/** The HTTP server without its routes: limits, request ids, and the envelope for every error. */
export function openServer(http: ServerContext): FastifyInstance {
  const isProxy = createProxyCheck(http.config.TRUSTED_PROXIES)
  const app = fastify({
    logger: false,
    genReqId: requestId,
    requestIdHeader: false,
    trustProxy: isProxy,
    // A stopping process still serves the requests it receives; `drain` decides when it stops accepting.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: serverBounds.headers_bytes },
    rewriteUrl: ({ url = '/' }) => routableUrl(url),
    clientErrorHandler: respondToMalformedRequest,
    frameworkErrors: (error, _request, reply) => void sendError(http, reply, error),
    serverFactory: (handle) =>
      openBoundedServer({
        handle,
        bounds: connectionBounds,
        // A proxy opens connections for all of its callers. Without rate limits, connections are not limited either.
        isExempt: (address) => http.limiter.limits === undefined || (isProxy !== false && isProxy(address)),
        onClosed: (why) => http.metrics.closedConnections.inc({ bound: why }),
        options: {
          maxHeaderSize: serverBounds.headers_bytes,
          headersTimeout: serverBounds.headers_ms,
          requestTimeout: serverBounds.request_ms,
          keepAliveTimeout: serverBounds.keep_alive_ms,
          connectionsCheckingInterval: serverBounds.check_ms,
          // Node would respond without the envelope; `beginRequest` checks the header instead.
          requireHostHeader: false,
        },
      }),
  })
  app.decorateRequest('requestContext')
  // The handler reads the body, after the guard. The framework reads none.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  // `Expect: 100-continue` is answered when the body is read.
  for (const event of ['checkContinue', 'checkExpectation']) {
    app.server.on(event, (request, response) => app.server.emit('request', request, response))
  }
  traceRequests(app)
  app.addHook('onRequest', (request, reply, done) => {
    // Read once: the framework builds this object for each reader.
    const { url: route = 'none', config } = request.routeOptions
    const refusal = beginRequest(http, { request, reply, route })
    // Documents, front ends and unmatched paths have no guard: only their address is limited.
    if (refusal !== undefined || config?.limited === true) done(refusal)
    // Not an async hook, because most requests are for limited routes and would wait for a promise.
    else takeTurn(http, request, { check: () => limitRequest(http, reply, callerKeys(request)), done })
  })
  // Checked when the response is sent: the process may have begun to stop after the request arrived.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (http.draining()) reply.header('connection', 'close')
    // The envelope links to its documentation by path; the base URL is configuration.
    const help = reply.statusCode < 400 ? undefined : reply.getHeader('link')
    if (typeof help === 'string') reply.header('link', help.replace('</', `<${http.config.BASE_URL}/`))
    const body = limitLargeBody(request, reply, payload)
    endTurn(request, reply)
    if (body instanceof Refusal) done(body)
    else done(null, body)
  })
  app.setErrorHandler((error, request, reply) => {
    // The database has its own line for all requests that it fails.
    if (sendError(http, reply, error).isFault && databaseFailure(error) === undefined) {
      http.log.error(
        { request_id: request.id, route: request.requestContext.route, err: error },
        'a request failed',
      )
    }
    return reply
  })
  handleUnmatched(app, http.config)
  return app
}

/**
 * Sends a large response in chunks and anything else unchanged. A text stays in memory until it is read, and counts against its
 * tenant or address until then; a buffer is shared by all of its readers.
 */
function limitLargeBody(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  if (request.method === 'HEAD' || (typeof payload !== 'string' && !Buffer.isBuffer(payload))) return payload
  if (payload.length <= chunk_bytes) return payload
  const buffer = typeof payload === 'string' ? Buffer.from(payload) : payload
  const owner = request.requestContext.principal?.tenant_id ?? addressKey(request.ip)
  if (typeof payload === 'string') {
    const release = responseBytesInUse.take(owner, buffer.length)
    if (release === 'each')
      return new Refusal(
        'rate_limit_exceeded',
        'Too many large responses are still being read. Read them first.',
        1,
      )
    if (release === 'all')
      return new Refusal('overloaded', 'Too many large responses are in progress. Try again in a moment.', 1)
    reply.raw.once('close', release)
  }
  reply.header('content-length', buffer.length)
  return toChunks(buffer, owner)
}

const commonHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** By `HSTS_INCLUDE_SUBDOMAINS`. */
const strictTransport = { off: 'max-age=31536000', on: 'max-age=31536000; includeSubDomains' }

/** Sets up the request context and the common headers. Returns a Refusal if the request is not acceptable. */
function beginRequest(
  http: ServerContext,
  { request, reply, route }: { request: FastifyRequest; reply: FastifyReply; route: string },
): Refusal | undefined {
  const { headers, httpVersion } = request.raw
  // The framework would choose a body parser by this header. Routes read or ignore the body themselves.
  request.requestContext = { route, contentType: headers['content-type'] }
  // Deleting it would make every later access to the headers slow.
  if (headers['content-type'] !== undefined) headers['content-type'] = undefined
  trackRequest(http, request, reply)
  reply.headers(commonHeaders).header('x-request-id', request.id)
  const { BASE_URL, HSTS_INCLUDE_SUBDOMAINS } = http.config
  if (BASE_URL.startsWith('https:'))
    reply.header('strict-transport-security', strictTransport[HSTS_INCLUDE_SUBDOMAINS])
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return invalidRequest('The HTTP version must be 1.1.')
  // HTTP/1.0 has no chunked encoding: an HTTP/1.0 proxy would see a different end of this request (RFC 9112 §6.1).
  if (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined) {
    reply.header('connection', 'close')
    return invalidRequest('An HTTP/1.0 request must not have Transfer-Encoding.')
  }
  if (httpVersion === '1.1' && headers.host === undefined)
    return invalidRequest('The Host header is missing.')
  if (hasOverlongQuery(request.url)) {
    return invalidRequest(`The URL is longer than ${serverBounds.url_characters} characters.`)
  }
  // A database that lost erasures: nothing is served, not even what needs no statement.
  const suspended = http.db.suspended()
  return suspended instanceof Refusal && route !== '/healthz' ? suspended : undefined
}

/** Only the query can be too long: an overlong path is a 404 of its route (GEN-10). */
function hasOverlongQuery(url: string): boolean {
  if (url.length <= serverBounds.url_characters) return false
  const path = url.indexOf('?')
  return path >= 0 && path <= serverBounds.url_characters
}

function sendError({ config }: ServerContext, reply: FastifyReply, error: unknown) {
  const { id: request_id, url, headers: sent, routeOptions, requestContext } = reply.request
  // The callers of the API are developers. The dashboard and the till have texts of their own.
  const errorResponse = toErrorResponse(error, url.startsWith('/v1/') ? config.BASE_URL : undefined)
  const { code, status, message, headers, body } = errorResponse
  // The framework can refuse a request before it has a context.
  if ((requestContext as typeof requestContext | undefined) !== undefined) requestContext.error_code = code
  const page = routeOptions.config?.errorPage?.({
    url,
    accept: sent.accept,
    acceptLanguage: sent['accept-language'],
    request_id,
    error: { code, status, message },
  })
  void reply.code(status).headers({ ...headers, ...page?.headers })
  void (page === undefined
    ? reply.send(body)
    : reply.type(page.media ?? 'text/html; charset=utf-8').send(page.text))
  return errorResponse
}

/** A path that cannot be decoded gets its percent signs escaped, so that it matches its route, which responds with 404 (GEN-10). */
function routableUrl(url: string): string {
  if (!url.includes('%')) return url
  const end = url.includes('?') ? url.indexOf('?') : url.length
  try {
    decodeURIComponent(url.slice(0, end))
    return url
  } catch {
    // Thrown for a percent sign without two hex digits, and for invalid UTF-8.
    return url.slice(0, end).replaceAll('%', '%25') + url.slice(end)
  }
}
