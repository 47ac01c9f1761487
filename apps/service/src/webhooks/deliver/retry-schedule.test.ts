import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeRetryDelay } from './retry-schedule.ts'

const backoff_seconds = [5, 300, 1800, 7200, 18_000]
const now_ms = Date.UTC(2026, 0, 15, 12)
const after = (failures: number, retry_after?: string) => ({ failures, backoff_seconds, retry_after, now_ms })
const middle = () => 0.5

test('[HOOK-6] six attempts: after each of five failures the next wait, after the sixth none', () => {
  const waits = [1, 2, 3, 4, 5, 6].map((failures) => computeRetryDelay(after(failures), middle))
  expect(waits).toEqual([5, 300, 1800, 7200, 18_000, undefined])
})

test('[HOOK-6] every wait lies within a fifth of its schedule, and they are spread over all of it', () => {
  for (const [index, wait] of backoff_seconds.entries()) {
    const waits = Array.from({ length: 10_000 }, () => computeRetryDelay(after(index + 1)) ?? Number.NaN)
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(wait * 0.8)
    expect(Math.max(...waits)).toBeLessThanOrEqual(wait * 1.2)
    expect(Math.min(...waits)).toBeLessThan(wait * 0.81)
    expect(Math.max(...waits)).toBeGreaterThan(wait * 1.19)
  }
})

test.each([
  ['320', 320, 'more time is given'],
  ['600', 600, 'up to twice the wait'],
  ['601', 600, 'and not beyond'],
  ['999999999', 600, 'however much is asked for'],
  ['10', 300, 'less does not shorten the wait'],
  ['Thu, 15 Jan 2026 12:07:30 GMT', 450, 'a date'],
  ['Thursday, 15-Jan-26 12:07:30 GMT', 450, 'an old date'],
  ['Thu, 15 Jan 2027 12:07:30 GMT', 600, 'a date far away'],
  ['Thu, 15 Jan 2026 11:00:00 GMT', 300, 'a date that is past'],
  ['-5', 300, 'nonsense'],
  ['1e9', 300, 'nonsense'],
  ['Infinity', 300, 'nonsense'],
  ['2026', 600, 'a number is seconds, not a year'],
  ['', 300, 'nothing'],
])('[HOOK-6] Retry-After "%s" makes it %d seconds: %s', (retry_after, wanted) => {
  expect(computeRetryDelay(after(2, retry_after), middle)).toBe(wanted)
})

test('[HOOK-6] whatever a receiver sends, the wait stays between four fifths of and twice the schedule', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 5 }), (retry_after, failures) => {
      const wait = computeRetryDelay(after(failures, retry_after)) ?? Number.NaN
      const scheduled = backoff_seconds[failures - 1] ?? Number.NaN
      expect(wait).toBeGreaterThanOrEqual(0.8 * scheduled)
      expect(wait).toBeLessThanOrEqual(2 * scheduled)
    }),
    { numRuns: 5000 },
  )
})
