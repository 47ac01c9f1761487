export type LoggedError = {
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
/** Keys, tokens, secrets, session ids, pairing codes and compact JOSE, anywhere in the text. */
const secretShapes = /\b(?:vk_|vd_|vdr_|vs_|whsec_|eyJ)[\w.~-]+|\bVD-[\w-]+/gi

/**
 * Describes an error for the log. PostgreSQL and the JSON parser quote their input, which can contain a claim, so quoted
 * text is removed, and so is anything that looks like a secret. Only the stack's frames are kept: its first line repeats the message.
 */
export function describeError(error: unknown, depth = 0): LoggedError {
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
    .join('\n')
}
