import { errorCodes, type ErrorCode, type ErrorEnvelope } from '@vidimus/contract'
import { DatabaseUnreachableError, isMovingTenant, isTemporary } from '../db/failures.ts'
import { Refusal } from '../basics/refusal.ts'

export type ErrorResponse = {
  code: ErrorCode
  status: number
  message: string
  headers: Record<string, string>
  body: string
  isFault: boolean
}

const movingMessage =
  'This account is being moved to another part of the service and is read-only until then. Try again in a moment.'
const movingRetry_seconds = 2

/**
 * An error as the caller sees it: a refusal with its message, anything else without details (GEN-7). With the base URL, a message ends
 * with the address of its documentation.
 */
export function toErrorResponse(thrown: unknown, baseUrl?: string): ErrorResponse {
  // The check of a new connection can say why the database must not be used.
  const error =
    thrown instanceof DatabaseUnreachableError && thrown.cause instanceof Refusal ? thrown.cause : thrown
  if (error instanceof Refusal) {
    const { code, message, retryAfter_seconds } = error
    const help = baseUrl === undefined ? '' : ` See ${baseUrl}${helpPath(code)}`
    return { ...errorEnvelope(code, message + help, retryAfter_seconds), isFault: false }
  }
  // The database is unavailable or overloaded: a retry helps, so this is not a 500.
  if (isTemporary(error)) {
    return {
      ...errorEnvelope('overloaded', 'The service is temporarily unavailable. Try again in a moment.', 1),
      isFault: true,
    }
  }
  if (isMovingTenant(error)) {
    return { ...errorEnvelope('overloaded', movingMessage, movingRetry_seconds), isFault: false }
  }
  if (isFrameworkRefusal(error)) {
    return { ...errorEnvelope('invalid_request', 'The request is malformed.'), isFault: false }
  }
  return { ...errorEnvelope('internal_error', 'Something went wrong on our side.'), isFault: true }
}

export function errorEnvelope(
  code: ErrorCode,
  message: string,
  retryAfter_seconds?: number,
): Omit<ErrorResponse, 'isFault'> {
  const body: ErrorEnvelope = { error: { code, message } }
  return {
    code,
    status: errorCodes[code].status,
    message,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(retryAfter_seconds !== undefined && { 'retry-after': String(retryAfter_seconds) }),
      ...(errorCodes[code].status === 401 && { 'www-authenticate': authenticationSchemes[code] ?? 'Bearer' }),
      link: `<${helpPath(code)}>; rel="help"`,
    },
    body: JSON.stringify(body),
  }
}

function helpPath(code: ErrorCode): string {
  return `/docs/errors#${code}`
}

/** A 401 names the authentication scheme (RFC 9110 §11.6.1). None is registered for browser sessions. */
const authenticationSchemes: Partial<Record<ErrorCode, string>> = {
  not_signed_in: 'Session',
  sign_in_failed: 'Session',
}

/** Fastify's own errors about a request have a status below 500. */
function isFrameworkRefusal(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    String(error.code).startsWith('FST_') &&
    'statusCode' in error &&
    Number(error.statusCode) < 500
  )
}
