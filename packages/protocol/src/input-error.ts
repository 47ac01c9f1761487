/**
 * Thrown by a reader at the first malformed part of its input. `catchInputError` turns it into a value at the boundary of
 * that reader: no InputError ever leaves this package.
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
