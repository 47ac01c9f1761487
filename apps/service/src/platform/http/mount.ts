import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { createDashboardGuard } from './guard/dashboard-guard.ts'
import type { HttpContext } from './http-context.ts'
import type { EndpointResponse, Call, DashboardCall, DashboardEndpoint, Endpoint } from './endpoint.ts'
import { createGuard } from './guard/guard.ts'
import { createRequestReader } from './request/read-request.ts'

/** Mounts an endpoint behind the guard: authentication first, then parameters, query and body, and only then the use case. */
export function mount(app: FastifyInstance, http: HttpContext, endpoint: Endpoint): void {
  const { route, handle, admit } = endpoint
  const { status, media } = route.success
  // Its parameters were parsed with the route's own schema, as for the handler.
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
      // The guard sets the principal if the route has a scope, and the call was parsed with the route's schemas, so it has
      // the type that `endpoint` declares.
      const response = await handle(
        Object.assign(call, { principal: request.requestContext.principal }) as Call,
      )
      reply.code(status).header('content-type', media ?? json)
      return sendResponse(reply, response)
    },
  })
}

/** The same for dashboard routes, whose callers are members with a session. */
export function mountDashboard(app: FastifyInstance, http: HttpContext, endpoint: DashboardEndpoint): void {
  const { route, handle } = endpoint
  const { status, media } = route.success
  const read = createRequestReader(route)
  app.route({
    ...routeOptions(route),
    // A HEAD request would open the stream and never end it.
    ...(route.stream === true && { exposeHeadRoute: false }),
    config: { limited: true },
    onRequest: createDashboardGuard(http, endpoint),
    async handler(request, reply) {
      const call = await read(request, reply)
      // As above: the guard sets the member if the route needs one.
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
  // A kept-alive connection would delay shutdown until its idle time-out.
  if ('stream' in response) return reply.header('connection', 'close').send(response.stream)
  // Text is sent unchanged: without its own serializer Fastify adds a charset to every JSON media type.
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

/** Properties outside the contract are dropped; a missing required property is an internal error (GEN-3). */
function toResponseSchema(body: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(body, { target: 'draft-7', io: 'output' })
}
