import type { Route } from '@vidimus/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Refusal, unknown } from '../refusal.ts'
import type { Door } from './door.ts'
import type { Call, Endpoint } from './endpoint.ts'
import { explain } from './explain.ts'
import { guardOf } from './guard.ts'
import { readBody, SlowBody, type SentBody } from './read-body.ts'

/** Puts an endpoint behind the guard: authentication first, then its parameters, its query, its body, and only then its use case. */
export function mount(app: FastifyInstance, door: Door, endpoint: Endpoint): void {
  const { route, handle } = endpoint
  const { status, media, body } = route.success
  const readsBody = route.json !== undefined || route.form !== undefined
  app.route({
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { anyOrigin: route.any_origin === true },
    onRequest: guardOf(door, endpoint),
    ...(media === undefined && { schema: { response: { [status]: serialisedAs(body) } } }),
    async handler(request, reply) {
      const answer = await handle(
        readsBody ? await readWhole(request, reply, route) : readHead(request, route),
      )
      reply.code(status).header('content-type', media ?? 'application/json; charset=utf-8')
      if (answer.headers !== undefined) reply.headers(answer.headers)
      return 'text' in answer ? reply.send(answer.text) : answer.body
    },
  })
}

/** Properties outside the contract are dropped, and one that it requires and that is missing is our fault: 500 (GEN-3). */
function serialisedAs(body: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(body, { target: 'draft-7', io: 'output' })
}

async function readWhole(request: FastifyRequest, reply: FastifyReply, route: Route): Promise<Call> {
  const call = readHead(request, route)
  const { raw, sent } = await bodyOf(request, reply, route)
  const body = parse(route.json ?? route.form ?? z.undefined(), sent)
  return { ...call, raw, sent, body: body as Call['body'] } // read by the route's schema
}

function readHead(request: FastifyRequest, route: Route): Call {
  const params = paramsOf(request, route)
  const query = route.query === undefined ? undefined : parse(route.query, request.query)
  return {
    // The guard has set it wherever the route has a scope; the endpoint's own type says which routes do.
    principal: request.trail.principal as Call['principal'],
    params: params as Call['params'], // likewise: read by the route's schema, or absent with it
    query: query as Call['query'],
    body: undefined,
    sent: undefined,
    raw: '',
    header: (name) => headerOf(request, name),
    ip: request.ip,
    request_id: request.id,
  }
}

function paramsOf(request: FastifyRequest, { params, unknown: code = 'session_not_found' }: Route): unknown {
  const read = params?.safeParse(request.params)
  if (read?.success === false) throw unknown(code)
  return read?.data
}

async function bodyOf(request: FastifyRequest, reply: FastifyReply, route: Route): Promise<SentBody> {
  const kind = route.json === undefined ? 'form' : 'json'
  // Only now, past the guard, is a caller told to send what it holds back.
  if (request.headers.expect !== undefined) reply.raw.writeContinue()
  try {
    return await readBody(request.raw, kind, request.trail.contentType)
  } catch (error) {
    if (error instanceof SlowBody) reply.header('connection', 'close')
    throw error
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const read = schema.safeParse(value, { reportInput: true })
  if (!read.success) throw new Refusal('invalid_request', explain(read.error))
  return read.data
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
