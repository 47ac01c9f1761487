import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { findManagementRoute } from '@vidimus/contract'
import type {
  Call,
  CallHead,
  DashboardCall,
  DashboardEndpoint,
  Endpoint,
  EndpointResponse,
  ErrorPage,
  HttpContext,
  OperatorCall,
  OperatorEndpoint,
  OperatorHttpContext,
} from './endpoint.ts'
import type { KeyPrincipal } from '../basics/principal.ts'
import { sendCompressed } from './compress.ts'
import { createDashboardGuard, createGuard } from './guard/guard.ts'
import { createOperatorGuard } from './guard/operator-guard.ts'
import { type AdmitRequest, type ParsedRequest, createRequestReader } from './request/read-request.ts'
import type { OriginCheck } from './server/handle-unmatched.ts'

/** Mounts an endpoint behind the guard: authentication first, then parameters, query and body, and only then the use case. */
export function mount(app: FastifyInstance, http: HttpContext, endpoint: Endpoint): void {
  const { route, handle, admit, beforeInvalid, allowsOrigin, errorPage, createsVerification } = endpoint
  addRoute(app, route, {
    guard: createGuard(http, endpoint),
    // The parameters were parsed with the route's own schema, as for the handler.
    admit: admit && ((head) => admit(head as CallHead)),
    beforeInvalid,
    allowsOrigin:
      allowsOrigin &&
      (async (given, origin) => {
        const read = route.params?.safeParse(given)
        const params: unknown = read?.data
        return read?.success === true && allowsOrigin({ params } as Pick<Call, 'params'>, origin)
      }),
    errorPage,
    createsVerification,
    // The guard sets the principal if the route has a scope, and the call was parsed with the route's schemas, so it has the
    // type that `endpoint` declares.
    handle: (call, { principal }) => handle(Object.assign(call, { principal }) as Call),
  })
}

/** The same for dashboard routes, whose callers are members with a session. What API keys can do too is mounted for them as well. */
export function mountDashboard(app: FastifyInstance, http: HttpContext, endpoint: DashboardEndpoint): void {
  const { route, handle } = endpoint
  mountManagement(app, http, endpoint)
  addRoute(app, route, {
    guard: createDashboardGuard(http, endpoint),
    // As above: the guard sets the member if the route needs one.
    handle: (call, { principal: member }) => handle(Object.assign(call, { member }) as DashboardCall),
  })
}

/** The same for operators, on a server of their own. */
export function mountOperator(
  app: FastifyInstance,
  http: OperatorHttpContext,
  endpoint: OperatorEndpoint,
): void {
  const { route, handle } = endpoint
  addRoute(app, route, {
    guard: createOperatorGuard(http, endpoint),
    // As above: the guard sets the operator if the route needs one.
    handle: (call, { operator }) => handle(Object.assign(call, { operator }) as OperatorCall),
  })
}

function mountManagement(
  app: FastifyInstance,
  http: HttpContext,
  { route, handle }: DashboardEndpoint,
): void {
  const published = findManagementRoute(route)
  if (published === undefined) return
  const changes = published.method !== 'GET'
  addRoute(app, published, {
    guard: createGuard(http, { route: published, shedLast: false, changes }),
    handle(call, { principal }) {
      // Devices never have these scopes, so that the guard lets only keys pass.
      const key = principal as KeyPrincipal
      const params = { ...(call.params as object | undefined), environment: key.environment }
      return handle(Object.assign(call, { member: key, params }) as unknown as DashboardCall)
    },
  })
}

type RouteHandling = {
  guard: ReturnType<typeof createGuard | typeof createDashboardGuard | typeof createOperatorGuard>
  admit?: AdmitRequest | undefined
  beforeInvalid?: (() => Promise<void>) | undefined
  allowsOrigin?: OriginCheck | undefined
  errorPage?: ErrorPage | undefined
  createsVerification?: boolean | undefined
  handle: (
    call: ParsedRequest,
    caller: Pick<FastifyRequest['requestContext'], 'principal' | 'operator'>,
  ) => Promise<EndpointResponse<unknown>>
}

function addRoute(
  app: FastifyInstance,
  route: Endpoint['route'] | DashboardEndpoint['route'] | OperatorEndpoint['route'],
  { guard, admit, beforeInvalid, allowsOrigin, errorPage, createsVerification, handle }: RouteHandling,
): void {
  const { status, media, body } = route.success
  const read = createRequestReader(route, { admit, beforeInvalid })
  let write: BodyWriter | undefined
  app.route({
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    // A HEAD request would open the stream and never end it.
    ...('stream' in route && route.stream && { exposeHeadRoute: false }),
    config: {
      anyOrigin: 'any_origin' in route && route.any_origin,
      ...(allowsOrigin && { allowsOrigin }),
      ...(errorPage && { errorPage }),
      ...(createsVerification === true && { createsVerification }),
      limited: true,
    },
    onRequest: guard,
    async handler(request, reply) {
      const call = await read(request, reply)
      const response = await handle(call, request.requestContext)
      if (response.verification_id !== undefined)
        request.requestContext.verification_id = response.verification_id
      reply.code(response.status ?? status).header('content-type', media ?? json)
      if (media === html && 'text' in response) {
        reply.headers(response.headers ?? {})
        return sendCompressed(request, reply, response.text)
      }
      if (media !== undefined || !('body' in response)) return sendResponse(reply, response)
      write ??= findWriter(reply, body)
      const text = await write(response.body as Record<string, unknown>) // JSON of the contract is an object
      return sendResponse(reply, { ...response, text })
    },
  })
}

const json = 'application/json; charset=utf-8'
const html = 'text/html; charset=utf-8'

function sendResponse(reply: FastifyReply, response: EndpointResponse<unknown>): unknown {
  if (response.headers !== undefined) reply.headers(response.headers)
  // A kept-alive connection would delay shutdown until its idle time-out.
  if ('stream' in response) return reply.header('connection', 'close').send(response.stream)
  // Text is sent unchanged: without its own serializer Fastify adds a charset to every JSON media type.
  return 'text' in response ? reply.serializer(String).send(response.text) : response.body
}

/** Writes a body as JSON, a long list in several turns of the event loop. */
type BodyWriter = (body: Body) => string | Promise<string>

type Body = Record<string, unknown>

/** How much of a list one turn writes. The text of a hundred verifications takes milliseconds, for which everyone else would have to wait. */
const slice_characters = 64 * 1024

/** Writes bodies by a schema of the contract. A list is an object whose `data` is an array. */
export function findWriter(reply: FastifyReply, body: z.ZodType): BodyWriter {
  const serialize = findSerializer(reply, body)
  const items: unknown = body instanceof z.ZodObject ? body.shape['data'] : undefined
  if (!(items instanceof z.ZodArray)) return serialize
  const serializeItem = findSerializer(reply, items.element as z.ZodType) // an array of the contract
  return async (value) => {
    const list = value as { data: Body[] } // by its type in the contract
    const texts: string[] = []
    let written = 0
    for (const item of list.data) {
      const text = serializeItem(item)
      texts.push(text)
      written += text.length
      if (written < slice_characters) continue
      written = 0
      await nextTurn()
    }
    // Within a value its quotes would be escaped.
    return serialize({ ...list, data: [] }).replace('"data":[]', () => `"data":[${texts.join(',')}]`)
  }
}

type Serializer = ReturnType<FastifyReply['compileSerializationSchema']>

const serializers = new WeakMap<z.ZodType, Serializer>()

/**
 * Serializes by a schema of the contract: properties outside it are dropped; a missing required property is an internal error
 * (GEN-3). It is compiled for the first response and kept, because compiling those of all routes took two thirds of the start.
 */
export function findSerializer(reply: FastifyReply, body: z.ZodType): Serializer {
  const known = serializers.get(body)
  if (known !== undefined) return known
  const compiled = reply.compileSerializationSchema(z.toJSONSchema(body, { target: 'draft-7', io: 'output' }))
  serializers.set(body, compiled)
  return compiled
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])

/** The method as it may appear in metrics, logs and traces: a caller can send any word. */
export function knownMethod(method: string): string {
  return methods.has(method) ? method : '_OTHER'
}
