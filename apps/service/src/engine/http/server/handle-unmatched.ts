import type { FastifyInstance, FastifyReply } from 'fastify'
import type { ErrorPage } from '../endpoint.ts'
import { errorEnvelope } from '../envelope.ts'
import { isOpenedByPerson, notFoundHeaders, notFoundPage } from './not-found-page.ts'

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
    /** The route creates a session, which is traced together with the request. */
    createsSession?: boolean
    /** The route is a page: its errors are pages too. */
    errorPage?: ErrorPage
  }
}

/**
 * Handles requests that match no route: OPTIONS, a wrong method on a known path (405 with `Allow`), an unknown path (404).
 * Must be called before the routes are mounted, because it collects them as they are added.
 */
export function handleUnmatched(app: FastifyInstance): void {
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
    const path = paths.values().find(({ pattern }) => pattern.test(requestedPath))
    if (path === undefined) {
      if (isOpenedByPerson(request.method, requestedPath, request.headers))
        return reply.code(404).headers(notFoundHeaders).send(notFoundPage)
      return refuse(reply, 'not_found', 'There is no such route.')
    }
    const allow = [...new Set(path.methods), 'OPTIONS'].join(', ')
    reply.header('allow', allow)
    if (request.method !== 'OPTIONS')
      return refuse(reply, 'method_not_allowed', `This route supports ${allow}.`)
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

function refuse(
  reply: FastifyReply,
  code: 'not_found' | 'method_not_allowed',
  message: string,
): FastifyReply {
  const { status, headers, body } = errorEnvelope(code, message)
  return reply.code(status).headers(headers).send(body)
}

function pathPattern(url: string): RegExp {
  return new RegExp(`^${url.replaceAll('.', '[.]').replaceAll(/:(\w+)/g, '(?<$1>[^/]*)')}$`)
}
