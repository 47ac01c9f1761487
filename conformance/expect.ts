import { isDeepStrictEqual } from 'node:util'
import type { Answer } from './world.ts'

/** A deviation: what the specification says, and what the service did. */
class Deviation extends Error {}

export function must(holds: boolean, rule: string): asserts holds {
  if (!holds) throw new Deviation(rule)
}

export function same(is: unknown, should: unknown, what: string): void {
  must(isDeepStrictEqual(is, should), `${what} should be ${shown(should)}, was ${shown(is)}`)
}

export function matches(value: unknown, pattern: RegExp, what: string): void {
  must(
    typeof value === 'string' && pattern.test(value),
    `${what} should match ${pattern}, was ${shown(value)}`,
  )
}

/** A success with this status. */
export function succeeded(answer: Answer, status: number): void {
  must(
    answer.status === status,
    `should answer ${status}, answered ${answer.status} ${answer.text.slice(0, 200)}`,
  )
}

/** A refusal with this status and code, in the envelope and with nothing else in it. */
export function refused(answer: Answer, status: number, code: string): void {
  const got = `${answer.status} ${answer.body?.error?.code ?? answer.text.slice(0, 100)}`
  must(
    answer.status === status && answer.body?.error?.code === code,
    `should refuse with ${status} ${code}, answered ${got}`,
  )
  same(Object.keys(answer.body), ['error'], 'the members of the envelope')
  same(Object.keys(answer.body.error).toSorted(), ['code', 'message'], 'the members of error')
  must(
    typeof answer.body.error.message === 'string' && answer.body.error.message !== '',
    'message should say something',
  )
}

/** An object with these members: all of the required, none but these, none null. */
export function members(value: unknown, required: readonly string[], optional: readonly string[] = []): void {
  must(
    typeof value === 'object' && value !== null && !Array.isArray(value),
    `should be an object, was ${shown(value)}`,
  )
  const keys = Object.keys(value)
  const missing = required.filter((key) => !keys.includes(key))
  same(missing, [], 'the required members that are missing')
  const extra = keys.filter((key) => !required.includes(key) && !optional.includes(key))
  same(extra, [], 'the members that the specification does not have')
  same(
    Object.entries(value)
      .filter(([, each]) => each === null)
      .map(([key]) => key),
    [],
    'the members that are null',
  )
}

export const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/
export const date = /^\d{4}-\d\d-\d\d$/

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 160 ? `${text.slice(0, 160)}…` : text
}
