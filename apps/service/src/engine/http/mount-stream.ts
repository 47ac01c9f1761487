import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Route, Scope } from '@vidimus/contract'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Principal } from '../basics/principal.ts'
import { Refusal, notFound } from '../basics/refusal.ts'
import type { HttpContext } from './endpoint.ts'
import type { AddressKey } from '../limits/limiter.ts'
import { addressKey } from './guard/client-address.ts'
import { readBearerToken, createGuard } from './guard/guard.ts'

type StreamRoute = Route & { params: z.ZodObject }

/** An open stream of server-sent events. */
type EventStream<R extends StreamRoute> = {
  /** Undefined if the route has no scope. */
  principal: R extends { scope: Scope } ? Principal : undefined
  params: z.output<R['params']>
  query: R extends { query: z.ZodType } ? z.output<R['query']> : unknown
  /** The caller's address as limits count it. */
  address: AddressKey
  /** Sends an event with its data, or a comment as a keep-alive. Throws if the connection is lost. */
  write: (event: { event: string; data: unknown } | string) => Promise<void>
  ended: () => boolean
  /** Whether the token that opened the stream is still valid for it: keys can be revoked meanwhile. Always true without a scope. */
  authorized: () => Promise<boolean>
}

export const writeTimeout_ms = 1000

type StreamEndpoint<R extends StreamRoute> = {
  route: R
  serve: (stream: EventStream<R>) => Promise<void>
  /** As for an endpoint. */
  shedLast?: boolean
}

/** Mounts a stream of server-sent events behind the guard. An error of `serve` before its first event becomes an error response. */
export function mountStream<const R extends StreamRoute>(
  app: FastifyInstance,
  http: HttpContext,
  { route, serve, shedLast = false }: StreamEndpoint<R>,
): void {
  const streams = new Set<Promise<void>>()
  // A stream that is just ending still needs what closes after the server, such as the database.
  app.addHook('onClose', async () => void (await Promise.allSettled(streams)))

  app.route({
    method: 'GET',
    // A HEAD request would open the stream and never end it.
    exposeHeadRoute: false,
    config: { anyOrigin: route.any_origin === true, limited: true },
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    onRequest: createGuard(http, { route, shedLast }),
    async handler(request, reply) {
      const params = route.params.safeParse(request.params)
      if (!params.success) throw notFound(route.not_found ?? 'session_not_found')
      // What a stream does not understand in its query is ignored: its schema has a fallback for it.
      const query = route.query?.parse(request.query)
      const { raw } = reply
      // A stream stays open and costs little: it takes no turn from its owner's requests.
      request.requestContext.work?.end()
      const sendHead = () => {
        reply.hijack()
        const headers = {
          'content-type': 'text/event-stream; charset=utf-8',
          'x-accel-buffering': 'no',
          // A kept-alive connection would delay shutdown until its idle time-out.
          connection: 'close',
        }
        raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...headers }) // set by us, all of them strings
      }
      const stream = serve({
        // Set by the guard if the route has a scope.
        principal: request.requestContext.principal as EventStream<R>['principal'],
        // Both were parsed with the route's own schemas.
        params: params.data as z.output<R['params']>,
        query: query as EventStream<R>['query'],
        address: addressKey(request.ip),
        async write(event) {
          if (!raw.headersSent) sendHead()
          await sendEvent(raw, event)
        },
        ended: () => raw.destroyed || http.draining(),
        authorized: () => isStillAuthorized(http, route, readBearerToken(request)),
      })
      streams.add(stream)
      try {
        await stream
      } catch (error) {
        if (!raw.headersSent) throw error
        // The stream is open, so the error cannot be sent. The client reconnects and gets it then.
        if (!raw.destroyed) http.log.warn({ request_id: request.id, err: error }, 'a stream was aborted')
      } finally {
        streams.delete(stream)
      }
      if (!raw.headersSent) sendHead()
      raw.end()
      return reply
    },
  })
}

async function sendEvent(
  raw: ServerResponse,
  event: { event: string; data: unknown } | string,
): Promise<void> {
  if (raw.destroyed) throw new Error('connection lost')
  const text =
    typeof event === 'string'
      ? `: ${event}\n\n`
      : `event: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`
  if (!raw.write(text)) await once(raw, 'drain', { signal: AbortSignal.timeout(writeTimeout_ms) })
}

async function isStillAuthorized(
  http: HttpContext,
  { scope }: StreamRoute,
  token: string | undefined,
): Promise<boolean> {
  if (scope === undefined) return true
  try {
    return (await http.authenticate(token)).scopes.includes(scope)
  } catch (error) {
    // Revoked or expired. Any other error, such as an unavailable database, ends the stream.
    if (error instanceof Refusal) return false
    throw error
  }
}
