/**
 * A reader throws a Fault at the first thing that does not fit, and `attempt` turns it into a value at the edge of the
 * same reader: no Fault ever leaves this package.
 */
export class InputError extends Error {}

export type ReadResult<T> = { value: T } | { error: string }

export function catchInputError<T>(read: () => T): ReadResult<T> {
  try {
    return { value: read() }
  } catch (error) {
    if (error instanceof InputError) return { error: error.message }
    throw error
  }
}
