import type { Route } from '@vidimus/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Refusal, unknown } from '../refusal.ts'
import type { FreeSlot } from '../slots.ts'
import { budgetHolder } from './client-address.ts'
import { explain } from './explain.ts'
import { readBody, SlowBody, type SentBody } from './read-body.ts'

/** What of a route says how its requests are read. */
type Readable = Pick<Route, 'params' | 'unknown' | 'query' | 'json' | 'form'>

export type ReadRequest = {
  params: unknown
  query: unknown
  body: unknown
  sent: unknown
  raw: string
  header: (name: string) => string | undefined
  ip: string
  request_id: string
  /** Path and query as they came. */
  url: string
}

/** Throws a Refusal when the body need not be read. */
export type Admit = (head: ReadRequest) => Promise<void>

/** A body of more bytes, or of an unknown length, is read only for whom `admit` lets in. */
export const largeBody_bytes = 64 * 1024

/** Makes what reads a route's requests by its schemas: parameters, query, and last the body, where it takes one. */
export function readerOf(
  route: Readable,
  admit?: Admit,
): (request: FastifyRequest, reply: FastifyReply) => ReadRequest | Promise<ReadRequest> {
  const readsBody = route.json !== undefined || route.form !== undefined
  return (request, reply) =>
    readsBody ? readWhole(request, reply, { route, admit }) : readHead(request, route)
}

async function readWhole(
  request: FastifyRequest,
  reply: FastifyReply,
  { route, admit }: { route: Readable; admit: Admit | undefined },
): Promise<ReadRequest> {
  const head = readHead(request, route)
  if (admit !== undefined && !hasSmallBody(request)) await admit(head)
  const { raw, sent } = await bodyOf(request, reply, route)
  const body = parse(route.json ?? route.form ?? z.undefined(), sent)
  return Object.assign(head, { raw, sent, body })
}

function hasSmallBody({ headers }: FastifyRequest): boolean {
  return Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= largeBody_bytes
}

function readHead(request: FastifyRequest, route: Readable): ReadRequest {
  return {
    params: paramsOf(request, route),
    query: route.query === undefined ? undefined : parse(route.query, request.query),
    body: undefined,
    sent: undefined,
    raw: '',
    header: (name) => headerOf(request, name),
    ip: request.ip,
    request_id: request.id,
    url: request.url,
  }
}

function paramsOf(request: FastifyRequest, { params, unknown: code }: Readable): unknown {
  const read = params?.safeParse(request.params)
  if (read?.success !== false) return read?.data
  throw code === undefined ? new Refusal('not_found', 'There is no such route.') : unknown(code)
}

async function bodyOf(request: FastifyRequest, reply: FastifyReply, route: Readable): Promise<SentBody> {
  const kind = route.json === undefined ? 'form' : 'json'
  // Only now, past the guard, is a caller told to send what it holds back.
  if (request.headers.expect !== undefined) reply.raw.writeContinue()
  // The text is kept until the request is answered.
  const taken: FreeSlot[] = []
  const freeAll = () => {
    for (const free of taken.splice(0)) free()
  }
  reply.raw.once('close', freeAll)
  try {
    return await readBody(request.raw, {
      kind,
      contentType: request.trail.contentType,
      holder: budgetHolder(request.ip),
      onTaken(free) {
        taken.push(free)
        if (reply.raw.closed) freeAll()
      },
    })
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
