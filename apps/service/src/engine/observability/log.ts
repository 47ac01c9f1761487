import { basename } from 'node:path'
import { type DestinationStream, type Logger, pino } from 'pino'
import type { Config } from '../config/config.ts'
import type { Waits } from '../scheduling/work.ts'
import { packedSource } from './packed-source.ts'
import { standardError } from './standard-error.ts'
import { tracing } from './tracing.ts'

export type Log = Logger & {
  /** Writes the line of a finished request at level info. The caller checks that the level is enabled. */
  request(entry: RequestLogEntry): void
}

const waitNames = [
  'turn_ms',
  'pool_ms',
  'sql_ms',
  'check_ms',
  'lookup_ms',
] as const satisfies readonly (keyof Waits)[]

/** What is logged of every request. No field contains text supplied by the caller. */
type RequestLogEntry = {
  request_id: string
  trace_id: string | undefined
  method: string
  route: string
  status: number
  duration_ms: number
  ip: string
  tenant_id: string | undefined
  actor: string | undefined
  verification: string | undefined
  /** Why the request was refused. */
  code: string | undefined
  /** For what it waited. Waits below a tenth of a millisecond are left out. */
  waits: Waits | undefined
}

/**
 * One JSON object per line, on standard error. Fields are chosen one by one (GEN-9): never a header, a body, a URL with its
 * query, or an error's text that has not passed through `describeError`. Redaction by field name is the safety net.
 */
export function openLog(
  { LOG_LEVEL }: Pick<Config, 'LOG_LEVEL'>,
  stream: DestinationStream = standardError(),
): Log {
  const log = pino(
    {
      level: LOG_LEVEL,
      base: null,
      messageKey: 'message',
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (level) => ({ level }), log: (fields) => addTrace(redact(fields)) },
      serializers: { err: describeError },
    },
    stream,
  )
  // Written for every request: pino's general path would take a seventh of a request's time.
  return Object.assign(log, {
    request: (entry: RequestLogEntry) => stream.write(formatRequestLine(entry)),
  })
}

/**
 * The line as pino would write it. JSON.stringify takes three times as long. Nothing needs to be escaped: every text is an id, an
 * address or from the route table.
 */
function formatRequestLine(entry: RequestLogEntry): string {
  const {
    request_id,
    trace_id,
    method,
    route,
    status,
    duration_ms,
    ip,
    tenant_id,
    actor,
    verification,
    code,
    waits,
  } = entry
  const start = `{"level":"info","time":"${currentTime()}","request_id":"${request_id}"`
  const trace = optionalField('trace_id', trace_id)
  const response = `,"method":"${method}","route":"${route}","status":${status},"duration_ms":${duration_ms},"ip":"${ip}"`
  const caller = `${optionalField('tenant_id', tenant_id)}${optionalField('actor', actor)}${optionalField('verification', verification)}${optionalField('code', code)}`
  return `${start}${trace}${response}${waits === undefined ? '' : waitFields(waits)}${caller},"message":"request"}\n`
}

function waitFields(waits: Waits): string {
  let fields = ''
  for (const name of waitNames) {
    const tenths = Math.round(waits[name] * 10)
    if (tenths > 0) fields += `,"${name}":${tenths / 10}`
  }
  return fields
}

function optionalField(name: string, value: string | undefined): string {
  return value === undefined ? '' : `,"${name}":"${value}"`
}

let lastTime = { ms: 0, text: '' }

/** The time as ISO 8601. Many requests end in the same millisecond, and formatting takes longer than the rest of the line. */
function currentTime(): string {
  const ms = Date.now()
  if (ms !== lastTime.ms) lastTime = { ms, text: new Date(ms).toISOString() }
  return lastTime.text
}

/** The trace that the line belongs to, if one is active. */
function addTrace(fields: Record<string, unknown>): Record<string, unknown> {
  const span = tracing.tracer?.active()
  return span === undefined ? fields : { ...fields, trace_id: span.spanContext().traceId }
}

const redactedFields = new Set([
  'authorization',
  'cookie',
  'headers',
  'body',
  'query',
  'params',
  'url',
  'key',
  'token',
  'access_token',
  'refresh_token',
  'pairing_code',
  'response_code',
  'secret',
  'webhook_secret',
  'claims',
  'credentials',
  'response',
  'vp_token',
])
const maxDepth = 4

/** Replaces the values of these fields at any depth. Pino's own redaction takes a fifth of a request's time. */
function redact(fields: Record<string, unknown>, depth = 0): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined
  for (const name in fields) {
    const value = fields[name]
    const replaced = redactedFields.has(name)
      ? '[redacted]'
      : isPlainObject(value)
        ? redactNested(value, depth)
        : value
    if (replaced !== value) (copy ??= { ...fields })[name] = replaced
  }
  return copy ?? fields
}

function redactNested(value: Record<string, unknown>, depth: number): unknown {
  return depth === maxDepth ? '[too deep]' : redact(value, depth + 1)
}

/** Errors and other class instances have their own serialisers. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype)
  )
}

type LoggedError = {
  type: string
  message: string
  code?: string
  /** Where PostgreSQL failed: only names from our own schema. */
  place?: string
  stack?: string
  cause?: LoggedError
}

const maxCauseDepth = 4
const maxMessageLength = 500
const placeFields = ['schema', 'table', 'column', 'constraint', 'routine'] as const
/** Keys, tokens, secrets, verification ids, pairing codes and compact JOSE, anywhere in the text. */
const secretShapes = /\b(?:vk_|vd_|vdr_|vs_|whsec_|eyJ)[\w.~-]+|\bVD-[\w-]+/gi

/**
 * Describes an error for the log. PostgreSQL and the JSON parser quote their input, which can contain a claim, so quoted
 * text is removed, and so is anything that looks like a secret. Only the stack's frames are kept: its first line repeats the message.
 */
function describeError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'a value that is not an Error was thrown' }
  const { code, place } = postgresDetails(error)
  return {
    type: error.name,
    message: redactValues(error.message),
    ...(code !== undefined && { code }),
    ...(place !== undefined && { place }),
    ...(error.stack !== undefined && { stack: stackFrames(error.stack) }),
    ...(error.cause !== undefined &&
      depth < maxCauseDepth && { cause: describeError(error.cause, depth + 1) }),
  }
}

function redactValues(message: string): string {
  return message
    .slice(0, maxMessageLength)
    .replaceAll(/"[^"]*"?|'[^']*'|`[^`]*`/g, '"…"')
    .replaceAll(secretShapes, '…')
}

function postgresDetails(error: Error): { code?: string; place?: string } {
  const fields = new Map<string, unknown>(Object.entries(error))
  const code = fields.get('code')
  const place = placeFields.map((name) => fields.get(name)).filter((value) => typeof value === 'string')
  return {
    ...(typeof code === 'string' && { code }),
    ...(place.length > 0 && { place: place.join(' ') }),
  }
}

function stackFrames(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.replace(/(file:\S+\.js):(\d+):\d+/, nameSource))
    .join('\n')
}

function nameSource(place: string, url: string, line: string): string {
  const source = packedSource(url, Number(line))
  return source === undefined ? place : `${source} in ${basename(place)}`
}
