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
  app.route({
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { anyOrigin: route.any_origin === true },
    onRequest: guardOf(door, endpoint),
    ...(media === undefined && { schema: { response: { [status]: serialisedAs(body) } } }),
    async handler(request, reply) {
      const answer = await handle(await readCall(request, reply, route))
      reply.code(status).type(media ?? 'application/json; charset=utf-8')
      if (answer.headers !== undefined) reply.headers(answer.headers)
      return 'text' in answer ? reply.send(answer.text) : answer.body
    },
  })
}

/** Properties outside the contract are dropped, and one that it requires and that is missing is our fault: 500 (GEN-3). */
function serialisedAs(body: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(body, { target: 'draft-7', io: 'output' })
}

async function readCall(request: FastifyRequest, reply: FastifyReply, route: Route): Promise<Call> {
  const params = paramsOf(request, route)
  const query = route.query === undefined ? undefined : parse(route.query, request.query)
  const { raw, sent } = await bodyOf(request, reply, route)
  const body = parseBody(route, sent)
  return {
    // The guard has set it wherever the route has a scope; the endpoint's own type says which routes do.
    principal: request.trail.principal as Call['principal'],
    params: params as Call['params'], // likewise: read by the route's schema, or absent with it
    query: query as Call['query'],
    body: body as Call['body'],
    sent,
    raw,
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
  if (route[kind] === undefined) return { raw: '', sent: undefined }
  // Only now, past the guard, is a caller told to send what it holds back.
  if (request.headers.expect !== undefined) reply.raw.writeContinue()
  try {
    return await readBody(request.raw, kind, request.trail.contentType)
  } catch (error) {
    if (error instanceof SlowBody) reply.header('connection', 'close')
    throw error
  }
}

function parseBody({ json, form }: Route, body: unknown): unknown {
  const schema = json ?? form
  return schema === undefined ? undefined : parse(schema, body)
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
