export type LoggedError = {
  type: string
  message: string
  code?: string
  /** What PostgreSQL says of the place, all of it names from our own schema. */
  place?: string
  stack?: string
  cause?: LoggedError
}

const maxCauseDepth = 4
const maxMessageLength = 500
const placeFields = ['schema', 'table', 'column', 'constraint', 'routine'] as const
/** Keys, tokens, secrets, session ids, pairing codes and compact JOSE, wherever they stand. */
const secretShapes = /\b(?:vk_|vd_|vdr_|vs_|whsec_|eyJ)[\w.~-]+|\bVD-[\w-]+/gi

/**
 * An error as a log may hold it. PostgreSQL and the JSON parser quote what they were given, which can be a claim, so
 * quoted text is dropped; so is whatever looks like a secret. The stack keeps its frames only: its head repeats the message.
 */
export function describeError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error))
    return { type: typeof error, message: 'something that is no error was thrown' }
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
    .join('\n')
}
