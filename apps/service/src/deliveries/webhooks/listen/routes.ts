import type { Route } from '@vidimus/contract'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Context } from '../../../engine/context.ts'
import { type HttpContext, endpoint, mount, mountStream } from '../../../engine/http/index.ts'
import type { ReadVerifications } from '../deliver/verification-locks.ts'
import { openListenStreams, reportForward, requireTestKey, stopListening } from './listen.ts'

const EmptyBody = z.strictObject({})
const listener = z.object({ id: z.uuid() })

/** The routes behind `vidimus listen`. They are not part of the published API. */
const routes = {
  open: {
    method: 'GET',
    path: '/listen/{id}',
    summary: 'Stream the outcomes of test verifications',
    scope: 'verifications:read',
    params: listener,
    not_found: 'session_not_found',
    success: { status: 200, body: z.string(), media: 'text/event-stream' },
  },
  close: {
    method: 'DELETE',
    path: '/listen/{id}',
    summary: 'Stop listening',
    scope: 'verifications:read',
    params: listener,
    not_found: 'session_not_found',
    success: { status: 200, body: EmptyBody },
  },
  report: {
    method: 'POST',
    path: '/listen/outcomes',
    summary: 'Report the response of the developer’s machine',
    scope: 'verifications:read',
    json: z.strictObject({
      id: z.uuid(),
      status: z.int().min(0).max(999),
      duration_ms: z.int().min(0).max(600_000),
    }),
    success: { status: 200, body: EmptyBody },
  },
} as const satisfies Record<string, Route>

export function mountListen(
  app: FastifyInstance,
  http: HttpContext,
  ctx: Context,
  read: ReadVerifications,
): void {
  const listen = openListenStreams(ctx, read)
  mountStream(app, http, {
    route: routes.open,
    serve: ({ principal, params, ...stream }) => listen({ principal, listener_id: params.id, ...stream }),
  })
  mount(
    app,
    http,
    endpoint(routes.close, async ({ principal, params }) => {
      requireTestKey(principal)
      await stopListening(ctx, { tenant_id: principal.tenant_id, listener_id: params.id })
      return { body: {} }
    }),
  )
  mount(
    app,
    http,
    endpoint(routes.report, async ({ principal, body }) => {
      await reportForward(ctx, principal, body)
      return { body: {} }
    }),
  )
}
