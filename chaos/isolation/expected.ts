import { isDeepStrictEqual } from 'node:util'

/** Nothing when it is right, and otherwise what is wrong. */
export function expected(what: string, found: unknown, right: unknown): string[] {
  if (isDeepStrictEqual(found, right)) return []
  return [`${what} should be ${JSON.stringify(right)} and is ${JSON.stringify(found)?.slice(0, 300)}`]
}
