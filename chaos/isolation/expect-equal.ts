import { isDeepStrictEqual } from 'node:util'

/** Returns no message if the values are equal, otherwise one that shows both. */
export function expectEqual(what: string, actual: unknown, expected: unknown): string[] {
  if (isDeepStrictEqual(actual, expected)) return []
  return [`${what} should be ${JSON.stringify(expected)} and is ${JSON.stringify(actual)?.slice(0, 300)}`]
}
