import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { connectionBounds, openBoundedServer } from './bounded-server.ts'
import { respondToMalformedRequest } from './malformed-request.ts'
import { addressKey, createProxyCheck } from '../guard/client-address.ts'
import { Refusal } from '../../refusal.ts'
import { openSlots } from '../../slots.ts'
import type { HttpContext } from '../http-context.ts'
import { toErrorResponse } from '../envelope.ts'
import { countRequest, refuseExceeded } from '../guard/guard.ts'
import { handleUnmatched } from './handle-unmatched.ts'
import { invalidRequest } from '../request/parse-body.ts'
import { toChunks, chunk_bytes } from './send-in-chunks.ts'
import { trackRequest, requestId, routePattern } from '../request-context.ts'

export const serverBounds = {
  headers_bytes: 16 * 1024,
  headers_ms: 15_000,
  /** A second past the time in which a body must have arrived, so that its refusal comes in the envelope. */
  request_ms: 16_000,
  check_ms: 1000,
  /** Longer than load balancers keep an idle connection, so that it is they who close it. */
  keep_alive_ms: 72_000,
  url_characters: 2048,
}

/** Bytes of large answers that are not read yet, for one tenant or address and in this process. */
export const maxResponseBytesInUse = { each: 24 * 1024 * 1024, all: 96 * 1024 * 1024 }
const responseBytesInUse = openSlots(maxResponseBytesInUse)

/** The HTTP server without its routes: bounds, request ids, the envelope for everything that goes wrong. */
export function openServer(http: HttpContext): FastifyInstance {
  const isProxy = createProxyCheck(http.config.TRUSTED_PROXIES)
  const app = fastify({
    logger: false,
    genReqId: requestId,
    requestIdHeader: false,
    trustProxy: isProxy,
    // What reaches a process that is stopping is served; `drain` decides when nothing can reach it any more.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: serverBounds.headers_bytes },
    rewriteUrl: ({ url = '/' }) => routableUrl(url),
    clientErrorHandler: respondToMalformedRequest,
    frameworkErrors: (error, _request, reply) => void sendError(reply, error),
    serverFactory: (handle) =>
      openBoundedServer({
        handle,
        bounds: connectionBounds,
        // A proxy opens connections for all of its callers; where nothing is limited, nor are these.
        isExempt: (address) => http.limiter.limits === undefined || (isProxy !== false && isProxy(address)),
        onClosed: (why) => http.metrics.closedConnections.inc({ bound: why }),
        options: {
          maxHeaderSize: serverBounds.headers_bytes,
          headersTimeout: serverBounds.headers_ms,
          requestTimeout: serverBounds.request_ms,
          keepAliveTimeout: serverBounds.keep_alive_ms,
          connectionsCheckingInterval: serverBounds.check_ms,
          // Node would answer without the envelope; `receive` asks for the header instead.
          requireHostHeader: false,
        },
      }),
  })
  app.decorateRequest('requestContext')
  // Bodies are read by the handler, past the guard. The framework reads none.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  // A caller that waits for leave to send its body gets it from whoever reads the body.
  for (const event of ['checkContinue', 'checkExpectation']) {
    app.server.on(event, (request, response) => app.server.emit('request', request, response))
  }
  app.addHook('onRequest', (request, reply, done) => {
    done(beginRequest(http, request, reply))
  })
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config?.limited === true) done()
    // Not an async hook: requests of limited routes, which are most, would wait for a promise.
    // oxlint-disable-next-line promise/no-callback-in-promise -- the framework's callback
    else limitByAddress(http, request, reply).then(() => done(), done)
  })
  // When the answer goes out, not when its request came in: the process may have been told to stop in between.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (http.draining()) reply.header('connection', 'close')
    // An envelope names its page by the path alone; the address before it is configuration.
    const help = reply.getHeader('link')
    if (typeof help === 'string') reply.header('link', help.replace('</', `<${http.config.BASE_URL}/`))
    const body = limitLargeBody(request, reply, payload)
    if (body instanceof Refusal) done(body)
    else done(null, body)
  })
  app.setErrorHandler((error, request, reply) => {
    if (sendError(reply, error).isFault) {
      http.log.error({ request_id: request.id, route: routePattern(request), err: error }, 'a request failed')
    }
    return reply
  })
  handleUnmatched(app)
  return app
}

/** What has no guard of its own: documents, front ends, and what matches no route. */
async function limitByAddress(
  http: HttpContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const states = await countRequest(http, reply, [{ limit: 'ip', owner: addressKey(request.ip) }])
  refuseExceeded(http, states, () => true)
}

/**
 * A large answer in pieces; anything else as it is. A text is kept until its reader has it, and counted for its tenant or address
 * until then; a buffer is shared by all who read it.
 */
function limitLargeBody(request: FastifyRequest, reply: FastifyReply, payload: unknown): unknown {
  if (request.method === 'HEAD' || (typeof payload !== 'string' && !Buffer.isBuffer(payload))) return payload
  if (payload.length <= chunk_bytes) return payload
  const buffer = typeof payload === 'string' ? Buffer.from(payload) : payload
  if (typeof payload === 'string') {
    const owner = request.requestContext.principal?.tenant_id ?? addressKey(request.ip)
    const release = responseBytesInUse.take(owner, buffer.length)
    if (release === 'each')
      return new Refusal('rate_limit_exceeded', 'Read the answers that are on their way first.', 1)
    if (release === 'all')
      return new Refusal('overloaded', 'Too many large answers are on their way. Try again in a moment.', 1)
    reply.raw.once('close', release)
  }
  reply.header('content-length', buffer.length)
  return toChunks(buffer)
}

const commonHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Begins the trail of a request and its answer's headers. Returns why it is refused, if it is. */
function beginRequest(http: HttpContext, request: FastifyRequest, reply: FastifyReply): Refusal | undefined {
  const { headers, httpVersion } = request.raw
  // The framework chooses a parser by this header, and has none to choose from: a route reads its body, or ignores it.
  request.requestContext = { contentType: headers['content-type'] }
  if (headers['content-type'] !== undefined) delete headers['content-type']
  trackRequest(http, request, reply)
  reply.headers(commonHeaders).header('x-request-id', request.id)
  if (http.config.BASE_URL.startsWith('https:')) {
    reply.header('strict-transport-security', 'max-age=31536000')
  }
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return invalidRequest('The version must be HTTP/1.1.')
  // Chunks are not of HTTP/1.0: a proxy that thinks so would see another end of this request (RFC 9112 §6.1).
  if (httpVersion === '1.0' && headers['transfer-encoding'] !== undefined) {
    reply.header('connection', 'close')
    return invalidRequest('An HTTP/1.0 request must not have Transfer-Encoding.')
  }
  if (httpVersion === '1.1' && headers.host === undefined)
    return invalidRequest('The Host header is missing.')
  if (hasOverlongQuery(request.url)) {
    return invalidRequest(`The address is longer than ${serverBounds.url_characters} characters.`)
  }
  return undefined
}

/** An overlong path names nothing, and its route says 404 (GEN-10). */
function hasOverlongQuery(url: string): boolean {
  if (url.length <= serverBounds.url_characters) return false
  const path = url.indexOf('?')
  return path >= 0 && path <= serverBounds.url_characters
}

function sendError(reply: FastifyReply, error: unknown) {
  const errorResponse = toErrorResponse(error)
  void reply.code(errorResponse.status).headers(errorResponse.headers).send(errorResponse.body)
  return errorResponse
}

/** An address that cannot be decoded names nothing: with its percent signs escaped it finds its route, which says 404 (GEN-10). */
function routableUrl(url: string): string {
  if (!url.includes('%')) return url
  const end = url.includes('?') ? url.indexOf('?') : url.length
  try {
    decodeURIComponent(url.slice(0, end))
    return url
  } catch {
    // Thrown for a percent sign without two digits, and for bytes that are no UTF-8.
    return url.slice(0, end).replaceAll('%', '%25') + url.slice(end)
  }
}
