import { pino, type DestinationStream, type Logger } from 'pino'
import type { Config } from '../config.ts'
import { describeFault } from './describe-fault.ts'
import { standardError } from './standard-error.ts'

export type Log = Logger

/**
 * One JSON object a line, on standard error. What is logged is chosen field by field (GEN-9): never a header, a body, an
 * address with its query, or an error's own text before `describeFault` has been over it. The redaction is the net under
 * that, for whoever forgets.
 */
export function openLog({ LOG_LEVEL }: Pick<Config, 'LOG_LEVEL'>, stream?: DestinationStream): Log {
  return pino(
    {
      level: LOG_LEVEL,
      base: null,
      messageKey: 'message',
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (level) => ({ level }), log: redact },
      serializers: { err: describeFault },
    },
    stream ?? standardError(),
  )
}

const neverLogged = new Set([
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
const deepest = 4

/** Replaces the values of these names, at any depth a line should have. Pino's own redaction took a fifth of a request's time. */
function redact(fields: Record<string, unknown>, depth = 0): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined
  for (const name in fields) {
    const value = fields[name]
    const replaced = neverLogged.has(name) ? '[redacted]' : isPlain(value) ? inner(value, depth) : value
    if (replaced !== value) (copy ??= { ...fields })[name] = replaced
  }
  return copy ?? fields
}

function inner(value: Record<string, unknown>, depth: number): unknown {
  return depth === deepest ? '[too deep]' : redact(value, depth + 1)
}

/** Errors and the like have serialisers of their own. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype)
  )
}
