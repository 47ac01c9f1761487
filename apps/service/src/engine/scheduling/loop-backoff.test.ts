import { expect, test } from 'vitest'
import { failureLogInterval_ms, maxRetry_ms, openLoopBackoff } from './loops.ts'

test('a loop that fails waits longer and longer, up to a bound, and as usual after a success', () => {
  const backoff = openLoopBackoff(100, { random: () => 1 })
  const pauses_ms = Array.from({ length: 8 }, () => backoff.failed().pause_ms)
  expect(pauses_ms.slice(0, 4)).toEqual([200, 400, 800, maxRetry_ms])
  expect(Math.max(...pauses_ms)).toBe(maxRetry_ms)
  expect(backoff.succeeded()).toBe(8)
  expect(backoff.succeeded()).toBe(0)
  expect(backoff.failed()).toMatchObject({ pause_ms: 200, failures: 1 })
  expect(openLoopBackoff(30_000, { random: () => 0 }).failed().pause_ms).toBe(30_000)
  expect(openLoopBackoff(0, { random: () => 0 }).failed().pause_ms).toBe(100)
})

test('it logs one line in half a minute, also if it succeeds in between', () => {
  let now_ms = 0
  const backoff = openLoopBackoff(100, { now_ms: () => now_ms })
  const logged: boolean[] = []
  for (; now_ms < 3 * failureLogInterval_ms; now_ms += 1000) {
    logged.push(backoff.failed().isLogged)
    backoff.succeeded()
  }
  expect(logged.filter(Boolean)).toHaveLength(3)
})
