/**
 * A reader throws a Fault at the first thing that does not fit, and `attempt` turns it into a value at the edge of the
 * same reader: no Fault ever leaves this package.
 */
export class Fault extends Error {}

export type Attempt<T> = { value: T } | { fault: string }

export function attempt<T>(read: () => T): Attempt<T> {
  try {
    return { value: read() }
  } catch (error) {
    if (error instanceof Fault) return { fault: error.message }
    throw error
  }
}
