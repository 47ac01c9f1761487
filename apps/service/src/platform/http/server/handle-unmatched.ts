import type { FastifyInstance, FastifyReply } from 'fastify'
import { errorEnvelope } from '../envelope.ts'

type RoutePath = { pattern: RegExp; methods: string[]; anyOrigin: boolean }

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be merged
  interface FastifyContextConfig {
    /** Pages of any origin may call this route. */
    anyOrigin?: boolean
    /** The route has its own rate limits. Requests to other routes, and unmatched requests, are limited by address. */
    limited?: boolean
  }
}

/**
 * Handles requests that match no route: OPTIONS, a wrong method on a known path (405 with `Allow`), an unknown path (404).
 * Must be called before the routes are mounted, because it collects them as they are added.
 */
export function handleUnmatched(app: FastifyInstance): void {
  const paths = new Map<string, RoutePath>()

  app.addHook('onRoute', ({ url, method, config }) => {
    const path = paths.get(url) ?? { pattern: pathPattern(url), methods: [], anyOrigin: false }
    path.methods.push(...[method].flat())
    path.anyOrigin ||= config?.anyOrigin === true
    paths.set(url, path)
  })

  app.setNotFoundHandler(async (request, reply) => {
    const requestedPath = request.url.split('?')[0] ?? ''
    const path = paths.values().find(({ pattern }) => pattern.test(requestedPath))
    if (path === undefined) return refuse(reply, 'not_found', 'There is no such route.')
    const allow = [...new Set(path.methods), 'OPTIONS'].join(', ')
    reply.header('allow', allow)
    if (request.method !== 'OPTIONS')
      return refuse(reply, 'method_not_allowed', `This route supports ${allow}.`)
    if (path.anyOrigin) reply.headers(preflightHeaders(allow))
    return reply.code(204).send()
  })
}

/** The response to a preflight request. These routes expose nothing secret, so any origin may call them. */
function preflightHeaders(allow: string): Record<string, string> {
  return {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': allow,
    'access-control-allow-headers': 'x-request-id, traceparent',
    'access-control-max-age': '86400',
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
  return new RegExp(`^${url.replaceAll('.', '[.]').replaceAll(/:\w+/g, '[^/]*')}$`)
}
