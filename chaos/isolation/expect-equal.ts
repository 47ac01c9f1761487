import { isDeepStrictEqual } from 'node:util'

/** Nothing when it is right, and otherwise what is wrong. */
export function expectEqual(what: string, actual: unknown, expected: unknown): string[] {
  if (isDeepStrictEqual(actual, expected)) return []
  return [`${what} should be ${JSON.stringify(expected)} and is ${JSON.stringify(actual)?.slice(0, 300)}`]
}
