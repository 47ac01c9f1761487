import { pino, type DestinationStream, type Logger } from 'pino'
import type { Config } from '../config.ts'
import { describeError } from './describe-error.ts'
import { standardError } from './standard-error.ts'

export type Log = Logger & {
  /** Writes the line of a request that is over, at level info, which whoever calls has asked for. */
  request(entry: RequestLogEntry): void
}

/** What is told of every request. None of it is a caller's own text. */
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
  session: string | undefined
}

/**
 * One JSON object a line, on standard error. What is logged is chosen field by field (GEN-9): never a header, a body, an
 * address with its query, or an error's own text before `describeFault` has been over it. The redaction is the net under
 * that, for whoever forgets.
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
      formatters: { level: (level) => ({ level }), log: redact },
      serializers: { err: describeError },
    },
    stream,
  )
  // One for each request: through pino's general ways it took a seventh of a request's time.
  return Object.assign(log, { request: (entry: RequestLogEntry) => stream.write(formatRequestLine(entry)) })
}

/** The line as pino would write it. Members that are undefined are left out. */
function formatRequestLine(entry: RequestLogEntry): string {
  return `{"level":"info","time":"${new Date().toISOString()}",${JSON.stringify(entry).slice(1, -1)},"message":"request"}\n`
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

/** Replaces the values of these names, at any depth a line should have. Pino's own redaction took a fifth of a request's time. */
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

/** Errors and the like have serialisers of their own. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype)
  )
}
