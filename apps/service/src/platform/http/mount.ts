import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { dashboardGuardOf } from './dashboard-guard.ts'
import type { Door } from './door.ts'
import type { Answer, Call, DashboardCall, DashboardEndpoint, Endpoint } from './endpoint.ts'
import { guardOf } from './guard.ts'
import { readerOf } from './read-request.ts'

/** Puts an endpoint behind the guard: authentication first, then its parameters, its query, its body, and only then its use case. */
export function mount(app: FastifyInstance, door: Door, endpoint: Endpoint): void {
  const { route, handle, admit } = endpoint
  const { status, media } = route.success
  // Its parameters were read by the route's own schema, as for the handler.
  const read = readerOf(route, admit && (({ params }) => admit({ params } as Pick<Call, 'params'>)))
  app.route({
    ...placeOf(route),
    config: { anyOrigin: route.any_origin === true, limited: true },
    onRequest: guardOf(door, endpoint),
    async handler(request, reply) {
      const call = await read(request, reply)
      // The guard has set it wherever the route has a scope, and what was read is what the route's schemas say: the
      // endpoint's own type says which routes do.
      const answer = await handle(Object.assign(call, { principal: request.trail.principal }) as Call)
      reply.code(status).header('content-type', media ?? json)
      return send(reply, answer)
    },
  })
}

/** The same for the dashboard's own routes, whose callers are members with a session. */
export function mountDashboard(app: FastifyInstance, door: Door, endpoint: DashboardEndpoint): void {
  const { route, handle } = endpoint
  const { status, media } = route.success
  const read = readerOf(route)
  app.route({
    ...placeOf(route),
    // A HEAD would open the stream: nobody reads it, so it would never end.
    ...(route.stream === true && { exposeHeadRoute: false }),
    config: { limited: true },
    onRequest: dashboardGuardOf(door, endpoint),
    async handler(request, reply) {
      const call = await read(request, reply)
      // As above: the guard sets the member wherever the route needs one.
      const answer = await handle(Object.assign(call, { member: request.trail.principal }) as DashboardCall)
      reply.code(status).header('content-type', media ?? json)
      return send(reply, answer)
    },
  })
}

const json = 'application/json; charset=utf-8'

function send(reply: FastifyReply, answer: Answer<unknown>): unknown {
  if (answer.headers !== undefined) reply.headers(answer.headers)
  // Kept for another request, the connection would hold up a process that stops until its idle time is over.
  if ('stream' in answer) return reply.header('connection', 'close').send(answer.stream)
  // Text is sent as it is: without a serializer of its own Fastify adds a charset to every JSON media type.
  return 'text' in answer ? reply.serializer(String).send(answer.text) : answer.body
}

type Mountable = Pick<Endpoint['route'] | DashboardEndpoint['route'], 'method' | 'path' | 'success'>

function placeOf({ method, path, success: { status, body, media } }: Mountable) {
  return {
    method,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    ...(media === undefined && { schema: { response: { [status]: serialisedAs(body) } } }),
  }
}

/** Properties outside the contract are dropped, and one that it requires and that is missing is our fault: 500 (GEN-3). */
function serialisedAs(body: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(body, { target: 'draft-7', io: 'output' })
}
