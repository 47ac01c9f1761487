import type { Route } from '@vidimus/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { Refusal, notFound } from '../../basics/refusal.ts'
import type { ReleaseSlot } from '../../scheduling/slots.ts'
import type { AddressKey } from '../../limits/rate-limits.ts'
import { addressKey } from '../guard/client-address.ts'
import { describeIssues } from './describe-issues.ts'
import { readBody, BodyTimeoutError, type ReceivedBody } from './read-body.ts'

/** The parts of a route that describe its requests. */
type RequestSchemas = Pick<Route, 'params' | 'not_found' | 'query' | 'json' | 'form'>

export type ParsedRequest = {
  params: unknown
  query: unknown
  body: unknown
  sent: unknown
  raw: string
  header: (name: string) => string | undefined
  setHeader: (name: string, value: string) => void
  address: AddressKey
  request_id: string
  /** Path and query as received. */
  url: string
}

/** Throws a Refusal if the body does not need to be read. */
export type AdmitRequest = (head: ParsedRequest) => Promise<void>

type BodyHooks = { admit?: AdmitRequest | undefined; beforeInvalid?: (() => Promise<void>) | undefined }

/** A larger body, or one of unknown length, is read only if `admit` does not refuse. */
export const largeBody_bytes = 64 * 1024

/** Creates a function that parses requests with the route's schemas: parameters, query, and the body last. */
export function createRequestReader(
  route: RequestSchemas,
  { admit, beforeInvalid }: BodyHooks = {},
): (request: FastifyRequest, reply: FastifyReply) => Promise<ParsedRequest> {
  const schema = route.json ?? route.form
  return async (request, reply) => {
    const head = readHead(request, reply, route)
    if (schema === undefined) return head
    if (admit !== undefined && !hasSmallBody(request)) await admit(head)
    const { raw, sent } = await receiveBody(request, reply, route)
    if (beforeInvalid !== undefined && !schema.safeParse(sent).success) await beforeInvalid()
    return { ...head, raw, sent, body: parse(schema, sent) }
  }
}

function hasSmallBody({ headers }: FastifyRequest): boolean {
  return Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= largeBody_bytes
}

function readHead(request: FastifyRequest, reply: FastifyReply, route: RequestSchemas): ParsedRequest {
  return {
    params: parseParams(request, route),
    query: route.query === undefined ? undefined : parse(route.query, request.query),
    body: undefined,
    sent: undefined,
    raw: '',
    header: (name) => readHeader(request, name),
    setHeader: (name, value) => void reply.header(name, value),
    address: addressKey(request.ip),
    request_id: request.id,
    url: request.url,
  }
}

function parseParams(request: FastifyRequest, { params, not_found: code }: RequestSchemas): unknown {
  const read = params?.safeParse(request.params)
  if (read?.success !== false) return read?.data
  throw code === undefined ? new Refusal('not_found', 'There is no such route.') : notFound(code)
}

async function receiveBody(
  request: FastifyRequest,
  reply: FastifyReply,
  route: RequestSchemas,
): Promise<ReceivedBody> {
  const kind = route.json === undefined ? 'form' : 'json'
  // Only now, after the guard, is the caller told to send its body.
  if (request.headers.expect !== undefined) reply.raw.writeContinue()
  // The text stays in memory until the request is answered.
  const releases: ReleaseSlot[] = []
  const releaseAll = () => {
    for (const release of releases.splice(0)) release()
  }
  reply.raw.once('close', releaseAll)
  try {
    return await readBody(request.raw, {
      kind,
      contentType: request.requestContext.contentType,
      owner: addressKey(request.ip),
      onReserved(release) {
        releases.push(release)
        if (reply.raw.closed) releaseAll()
      },
    })
  } catch (error) {
    if (error instanceof BodyTimeoutError) reply.header('connection', 'close')
    throw error
  }
}

function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const read = schema.safeParse(value, { reportInput: true })
  if (!read.success) throw new Refusal('invalid_request', describeIssues(schema, read.error))
  return read.data
}

function readHeader(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
