import { isDeepStrictEqual } from 'node:util'
import type { ServiceResponse } from './target.ts'

/** A deviation from the specification: what is required, and what the service did. */
class DeviationError extends Error {}

export function assertThat(isMet: boolean, rule: string): asserts isMet {
  if (!isMet) throw new DeviationError(rule)
}

export function assertEqual(actual: unknown, expected: unknown, description: string): void {
  assertThat(
    isDeepStrictEqual(actual, expected),
    `${description} should be ${formatValue(expected)}, but was ${formatValue(actual)}`,
  )
}

export function assertMatches(value: unknown, pattern: RegExp, description: string): void {
  assertThat(
    typeof value === 'string' && pattern.test(value),
    `${description} should match ${pattern}, but was ${formatValue(value)}`,
  )
}

/** Asserts a success with this status. */
export function assertStatus(response: ServiceResponse, status: number): void {
  assertThat(
    response.status === status,
    `should respond with ${status}, but responded with ${response.status} ${response.text.slice(0, 200)}`,
  )
}

/** Asserts a refusal with this status and code, in the error envelope and without other members. */
export function assertRefused(response: ServiceResponse, status: number, code: string): void {
  const received = `${response.status} ${response.body?.error?.code ?? response.text.slice(0, 100)}`
  assertThat(
    response.status === status && response.body?.error?.code === code,
    `should refuse with ${status} ${code}, but responded with ${received}`,
  )
  assertEqual(Object.keys(response.body), ['error'], 'the members of the envelope')
  assertEqual(Object.keys(response.body.error).toSorted(), ['code', 'message'], 'the members of error')
  assertThat(
    typeof response.body.error.message === 'string' && response.body.error.message !== '',
    'message should not be empty',
  )
}

/** Asserts an object with all required members, no other than the optional ones, and no null. */
export function assertMembers(
  value: unknown,
  required: readonly string[],
  optional: readonly string[] = [],
): void {
  assertThat(
    typeof value === 'object' && value !== null && !Array.isArray(value),
    `should be an object, but was ${formatValue(value)}`,
  )
  const keys = Object.keys(value)
  const missing = required.filter((key) => !keys.includes(key))
  assertEqual(missing, [], 'the list of missing members')
  const extra = keys.filter((key) => !required.includes(key) && !optional.includes(key))
  assertEqual(extra, [], 'the list of unspecified members')
  assertEqual(
    Object.entries(value)
      .filter(([, each]) => each === null)
      .map(([key]) => key),
    [],
    'the list of null members',
  )
}

export const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/
export const date = /^\d{4}-\d\d-\d\d$/

function formatValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 160 ? `${text.slice(0, 160)}…` : text
}
