import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { createDashboardGuard } from './guard/dashboard-guard.ts'
import type { HttpContext } from './http-context.ts'
import type { EndpointResponse, Call, DashboardCall, DashboardEndpoint, Endpoint } from './endpoint.ts'
import { createGuard } from './guard/guard.ts'
import { createRequestReader } from './request/read-request.ts'

/** Puts an endpoint behind the guard: authentication first, then its parameters, its query, its body, and only then its use case. */
export function mount(app: FastifyInstance, http: HttpContext, endpoint: Endpoint): void {
  const { route, handle, admit } = endpoint
  const { status, media } = route.success
  // Its parameters were read by the route's own schema, as for the handler.
  const read = createRequestReader(
    route,
    admit && (({ params }) => admit({ params } as Pick<Call, 'params'>)),
  )
  app.route({
    ...routeOptions(route),
    config: { anyOrigin: route.any_origin === true, limited: true },
    onRequest: createGuard(http, endpoint),
    async handler(request, reply) {
      const call = await read(request, reply)
      // The guard has set it wherever the route has a scope, and what was read is what the route's schemas say: the
      // endpoint's own type says which routes do.
      const response = await handle(
        Object.assign(call, { principal: request.requestContext.principal }) as Call,
      )
      reply.code(status).header('content-type', media ?? json)
      return sendResponse(reply, response)
    },
  })
}

/** The same for the dashboard's own routes, whose callers are members with a session. */
export function mountDashboard(app: FastifyInstance, http: HttpContext, endpoint: DashboardEndpoint): void {
  const { route, handle } = endpoint
  const { status, media } = route.success
  const read = createRequestReader(route)
  app.route({
    ...routeOptions(route),
    // A HEAD would open the stream: nobody reads it, so it would never end.
    ...(route.stream === true && { exposeHeadRoute: false }),
    config: { limited: true },
    onRequest: createDashboardGuard(http, endpoint),
    async handler(request, reply) {
      const call = await read(request, reply)
      // As above: the guard sets the member wherever the route needs one.
      const response = await handle(
        Object.assign(call, { member: request.requestContext.principal }) as DashboardCall,
      )
      reply.code(status).header('content-type', media ?? json)
      return sendResponse(reply, response)
    },
  })
}

const json = 'application/json; charset=utf-8'

function sendResponse(reply: FastifyReply, response: EndpointResponse<unknown>): unknown {
  if (response.headers !== undefined) reply.headers(response.headers)
  // Kept for another request, the connection would hold up a process that stops until its idle time is over.
  if ('stream' in response) return reply.header('connection', 'close').send(response.stream)
  // Text is sent as it is: without a serializer of its own Fastify adds a charset to every JSON media type.
  return 'text' in response ? reply.serializer(String).send(response.text) : response.body
}

type MountableRoute = Pick<Endpoint['route'] | DashboardEndpoint['route'], 'method' | 'path' | 'success'>

function routeOptions({ method, path, success: { status, body, media } }: MountableRoute) {
  return {
    method,
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    ...(media === undefined && { schema: { response: { [status]: toResponseSchema(body) } } }),
  }
}

/** Properties outside the contract are dropped, and one that it requires and that is missing is our fault: 500 (GEN-3). */
function toResponseSchema(body: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(body, { target: 'draft-7', io: 'output' })
}
