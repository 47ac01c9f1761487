import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { guideStylePath, pageHead, pageStyle } from '../../formats/html.ts'
import type { ErrorPage } from '../endpoint.ts'
import type { Config } from '../../config/config.ts'
import { Refusal } from '../../basics/refusal.ts'
import { errorEnvelope, toErrorResponse } from '../envelope.ts'

/** Whether pages of an origin may call a path with these parameters. */
export type OriginCheck = (params: Record<string, string>, origin: string) => Promise<boolean>

type RoutePath = { pattern: RegExp; methods: string[]; anyOrigin: boolean; allowsOrigin?: OriginCheck }

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be merged
  interface FastifyContextConfig {
    /** Pages of any origin may call this route. */
    anyOrigin?: boolean
    /** Pages of some origins may call this route. */
    allowsOrigin?: OriginCheck
    /** The route has its own rate limits. Requests to other routes, and unmatched requests, are limited by address. */
    limited?: boolean
    /** The route creates a verification, which is traced together with the request. */
    createsVerification?: boolean
    /** The route is a page: its errors are pages too. */
    errorPage?: ErrorPage
  }
}

/**
 * Handles requests that match no route: OPTIONS, a wrong method on a known path (405 with `Allow`), an unknown path (404).
 * Must be called before the routes are mounted, because it collects them as they are added.
 */
export function handleUnmatched(app: FastifyInstance, { BASE_URL }: Pick<Config, 'BASE_URL'>): void {
  const paths = new Map<string, RoutePath>()

  app.addHook('onRoute', ({ url, method, config }) => {
    const path: RoutePath = paths.get(url) ?? { pattern: pathPattern(url), methods: [], anyOrigin: false }
    path.methods.push(...[method].flat())
    path.anyOrigin ||= config?.anyOrigin === true
    if (config?.allowsOrigin !== undefined) path.allowsOrigin = config.allowsOrigin
    paths.set(url, path)
  })

  app.setNotFoundHandler(async (request, reply) => {
    const requestedPath = request.url.split('?')[0] ?? ''
    const refuse = (code: 'not_found' | 'method_not_allowed', message: string) => {
      const refusal = new Refusal(code, message)
      const { status, headers, body } = toErrorResponse(
        refusal,
        requestedPath.startsWith('/v1/') ? BASE_URL : undefined,
      )
      return reply.code(status).headers(headers).send(body)
    }
    const path = paths.values().find(({ pattern }) => pattern.test(requestedPath))
    if (path === undefined) {
      if (isOpenedByPerson(request.method, requestedPath, request.headers))
        return reply
          .code(404)
          .headers(notFoundHeaders)
          .send(notFoundPage(request.id, (served) => paths.has(served)))
      return refuse('not_found', 'There is no such route.')
    }
    const allow = [...new Set(path.methods), 'OPTIONS'].join(', ')
    reply.header('allow', allow)
    if (request.method !== 'OPTIONS') return refuse('method_not_allowed', `This route supports ${allow}.`)
    if (path.anyOrigin) reply.headers(preflightHeaders('*', allow))
    if (path.allowsOrigin !== undefined) {
      const { origin } = request.headers
      const params = path.pattern.exec(requestedPath)?.groups ?? {}
      reply.header('vary', 'Origin')
      if (origin !== undefined && (await path.allowsOrigin(params, origin)))
        reply.headers(preflightHeaders(origin, allow))
    }
    return reply.code(204).send()
  })
}

/** The response to a preflight request. Routes for any origin expose nothing secret. */
function preflightHeaders(origin: string, allow: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': allow,
    'access-control-allow-headers': 'authorization, content-type, x-request-id, traceparent',
    // The origins of a tenant can change.
    'access-control-max-age': origin === '*' ? '86400' : '600',
  }
}

function pathPattern(url: string): RegExp {
  return new RegExp(`^${url.replaceAll('.', '[.]').replaceAll(/:(\w+)/g, '(?<$1>[^/]*)')}$`)
}

/** Paths of programs. A browser that opens one sees the JSON that a program would get. */
const programPaths = /^\/(?:v1|wallet|listen|dashboard\/api|operator\/v1)(?:\/|$)/

const notFoundHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'",
  vary: 'accept',
}

/** Where a person can go on, if this server has it: that of the operators has nothing of the public one. */
const startPages = [
  { path: '/console', name: 'Console' },
  { path: '/dashboard', name: 'Dashboard' },
  { path: '/docs/guides', name: 'Guides' },
  { path: '/docs', name: 'API reference' },
]
/** Of the operators' server, which has no guides. */
export const plainStylePath = '/page.css'

/** Nothing of the address is repeated, since it may contain anything. */
function notFoundPage(request_id: string, isServed: (path: string) => boolean): string {
  const pages = startPages.filter(({ path }) => isServed(path))
  const style = pageStyle(isServed(plainStylePath) ? plainStylePath : guideStylePath)
  return `${pageHead('Page not found · Vidimus', style)}
<body>
<header><a class="brand" href="/">Vidimus</a></header>
<div class="columns">
<main id="text">
<h1>Page not found</h1>
<p>There is nothing at this address. Check it for typing mistakes, or go on from here:</p>
<ul>
${pages.map(({ path, name }) => `<li><a href="${path}">${name}</a></li>\n`).join('')}</ul>
<p><small>Request ID <code>${request_id}</code></small></p>
</main>
</div>
</body>
</html>
`
}

/** Whether a person opened this path in a browser, and not a program. */
function isOpenedByPerson(method: string, path: string, { accept = '' }: IncomingHttpHeaders): boolean {
  return method === 'GET' && accept.includes('text/html') && !programPaths.test(path)
}

/**
 * Responds to a request that the HTTP parser rejected: conflicting lengths, bad chunks, oversized or slow headers. The
 * connection is closed, because the start of the next request on it is unknown.
 */
export function respondToMalformedRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  // Closed, or in the middle of a response: the client would read this one as part of it.
  if (error.code === 'ECONNRESET' || !socket.writable || isResponding(socket)) {
    socket.destroy()
    return
  }
  const { status, headers, body } = errorEnvelope('invalid_request', messageFor(error.code))
  const head = Object.entries({
    ...headers,
    'x-request-id': randomUUID(),
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  })
  socket.end(
    `HTTP/1.1 ${status} Bad Request\r\n${head.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  )
}

function messageFor(code = ''): string {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return 'The headers are larger than 16 KiB.'
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'The request did not arrive in time.'
    default:
      return 'The request is malformed.'
  }
}

/** Node keeps the response in progress in this field of the socket and offers no public way to read it. */
function isResponding(
  socket: Socket & { [Field in '_httpMessage']?: { headersSent?: boolean } | null },
): boolean {
  return socket['_httpMessage']?.headersSent === true
}
