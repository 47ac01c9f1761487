import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Route, Scope } from '@vidimus/contract'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import type { Principal } from '../principal.ts'
import { Refusal, notFound } from '../refusal.ts'
import type { HttpContext } from './http-context.ts'
import { readBearerToken, createGuard } from './guard/guard.ts'

type StreamRoute = Route & { scope: Scope; params: z.ZodObject }

/** One open line: what it was asked, and the way to write to it. */
export type EventStream<R extends StreamRoute> = {
  principal: Principal
  params: z.output<R['params']>
  /** An event with its data, or a comment that only shows that somebody is there. Throws once the line is gone. */
  write: (event: { event: string; data: unknown } | string) => Promise<void>
  ended: () => boolean
  /** Whether the token that opened the stream may still open it: keys are revoked and members removed meanwhile. */
  authorized: () => Promise<boolean>
}

export const writeTimeout_ms = 1000

/** Puts a stream of server-sent events behind the guard. What `serve` throws before its first event is answered as a refusal. */
export function mountStream<const R extends StreamRoute>(
  app: FastifyInstance,
  http: HttpContext,
  route: R,
  serve: (stream: EventStream<R>) => Promise<void>,
): void {
  const streams = new Set<Promise<void>>()
  // Whatever closes after the server, the database say, is still needed by a line that is just ending.
  app.addHook('onClose', async () => void (await Promise.allSettled(streams)))

  app.route({
    method: 'GET',
    // A HEAD would open the stream and never end it.
    exposeHeadRoute: false,
    config: { limited: true },
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    onRequest: createGuard(http, { route, handle: () => Promise.resolve({ body: {} }), shedLast: false }),
    async handler(request, reply) {
      const params = route.params.safeParse(request.params)
      if (!params.success) throw notFound(route.unknown ?? 'session_not_found')
      const { raw } = reply
      const sendHead = () => {
        reply.hijack()
        const headers = {
          'content-type': 'text/event-stream; charset=utf-8',
          'x-accel-buffering': 'no',
          // Kept for another request, the connection would hold up a process that stops until its idle time is over.
          connection: 'close',
        }
        raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...headers }) // set by us, all of them texts
      }
      const stream = serve({
        // The guard has set it: the route has a scope.
        principal: request.requestContext.principal as Principal,
        params: params.data as z.output<R['params']>, // read by the route's own schema
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
        // The line is open, so there is no way to say what went wrong: the listener comes back, and hears it then.
        if (!raw.destroyed) http.log.warn({ request_id: request.id, err: error }, 'a stream was broken off')
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
  if (raw.destroyed) throw new Error('the line is gone')
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
  try {
    return (await http.authenticate(token)).scopes.includes(scope)
  } catch (error) {
    // Revoked or expired. Anything else, such as a database that is away, ends the stream as an error.
    if (error instanceof Refusal) return false
    throw error
  }
}
