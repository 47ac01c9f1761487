import type { Route } from '@vidimus/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Refusal, notFound } from '../../basics/refusal.ts'
import { suggest } from '../../basics/suggest.ts'
import type { AddressKey } from '../../limits/limiter.ts'
import type { ReleaseSlot } from '../../scheduling/slots.ts'
import { addressKey } from '../guard/client-address.ts'
import { BodyTimeoutError, type ReceivedBody, readBody } from './read-body.ts'

/** The parts of a route that describe its requests. */
type RequestSchemas = Pick<Route, 'params' | 'not_found' | 'query' | 'json' | 'large_json' | 'form'>

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
    query:
      route.query === undefined ? undefined : parse(route.query, groupMembers(route.query, request.query)),
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
  const jsonKind = route.large_json === true ? 'large_json' : 'json'
  const kind = route.json === undefined ? 'form' : jsonKind
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

/** Collects the parameters `name[member]=value` where the schema has a record of that name. */
function groupMembers(schema: z.ZodObject, given: unknown): unknown {
  const plain: [string, unknown][] = []
  const records = new Map<string, [string, unknown][]>()
  for (const [parameter, value] of Object.entries(given ?? {})) {
    const [, name = '', member = ''] = /^(\w+)\[(.*)\]$/s.exec(parameter) ?? []
    if (!(unwrap(schema.shape[name]) instanceof z.ZodRecord)) plain.push([parameter, value])
    else {
      const pairs = records.get(name) ?? []
      pairs.push([member, value])
      records.set(name, pairs)
    }
  }
  const members = Array.from(records, ([name, pairs]) => [name, Object.fromEntries(pairs)])
  // A plain parameter of the same name is kept, and refused by the schema.
  return Object.fromEntries([...members, ...plain])
}

function readHeader(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

const maxIssues = 5
const maxNameLength = 64

const sizeUnits: Partial<Record<string, string>> = { string: 'character', array: 'item' }

/**
 * A sentence for each problem in a body or a query: `ttl_seconds: must be at least 60, got 30. Unknown field "webhookUrl". Did you mean
 * "webhook_url"?`
 */
function describeIssues(schema: z.ZodType, { issues }: z.ZodError): string {
  return issues
    .slice(0, maxIssues)
    .flatMap((issue) => describeIssue(schema, issue))
    .join(' ')
}

function describeIssue(schema: z.ZodType, issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'unrecognized_keys') {
    const known = knownMembers(schema, issue.path)
    return issue.keys.slice(0, maxIssues).map((key) => describeUnknownMember(issue.path, key, known))
  }
  const message = issueMessage(issue)
  return [issue.path.length === 0 ? `${message}.` : `${formatPath(issue.path)}: ${message}.`]
}

function describeUnknownMember(path: readonly PropertyKey[], key: string, known: string[]): string {
  const meant = suggest(key, known)
  const unknown = `Unknown field "${formatPath([...path, key])}".`
  return meant === undefined ? unknown : `${unknown} Did you mean "${formatPath([...path, meant])}"?`
}

/** The rule and, for a number, the value that was sent. Text is never repeated, because it may contain anything. */
function issueMessage(issue: z.core.$ZodIssue): string {
  const got = typeof issue.input === 'number' ? `, got ${issue.input}` : ''
  if (issue.code === 'too_small') return `${describeBound('at least', issue.minimum, issue.origin)}${got}`
  if (issue.code === 'too_big') return `${describeBound('at most', issue.maximum, issue.origin)}${got}`
  return issue.message.replace(/^Invalid input: /, '')
}

function describeBound(comparison: string, bound: number | bigint, origin: string): string {
  const unit = sizeUnits[origin]
  if (unit === undefined) return `must be ${comparison} ${bound}`
  return `must have ${comparison} ${bound} ${bound === 1 ? unit : `${unit}s`}`
}

function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part).slice(0, maxNameLength)}`))
    .join('')
    .replace(/^\./, '')
}

/** The members that a schema knows at a path, to suggest one of them for an unknown one. Empty where they cannot be determined. */
function knownMembers(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let inner: unknown = unwrap(schema)
  for (const part of path) inner = unwrap(memberOf(inner, part))
  return inner instanceof z.ZodObject ? Object.keys(inner.shape) : []
}

function memberOf(schema: unknown, part: PropertyKey): unknown {
  if (schema instanceof z.ZodObject) return schema.shape[String(part)]
  if (schema instanceof z.ZodArray) return schema.element
  if (schema instanceof z.ZodRecord) return schema.valueType
  return undefined
}

function unwrap(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return unwrap(schema.unwrap())
  if (schema instanceof z.ZodPipe) return unwrap(schema.in)
  return schema
}
