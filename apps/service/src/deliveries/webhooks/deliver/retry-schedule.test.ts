import fc from 'fast-check'
import { expect, test } from 'vitest'
import { computeRetryDelay } from './record-attempts.ts'

const backoff_seconds = [5, 300, 1800, 7200, 18_000]
const now_ms = Date.UTC(2026, 0, 15, 12)
const after = (failures: number, retry_after?: string) => ({ failures, backoff_seconds, retry_after, now_ms })
const middle = () => 0.5

test('[HOOK-6] each of the first five failures has its delay, and the sixth is final', () => {
  const delays = [1, 2, 3, 4, 5, 6].map((failures) => computeRetryDelay(after(failures), middle))
  expect(delays).toEqual([5, 300, 1800, 7200, 18_000, undefined])
})

test('[HOOK-6] delays vary by up to a fifth and cover that whole range', () => {
  for (const [index, delay] of backoff_seconds.entries()) {
    const delays = Array.from({ length: 10_000 }, () => computeRetryDelay(after(index + 1)) ?? Number.NaN)
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(delay * 0.8)
    expect(Math.max(...delays)).toBeLessThanOrEqual(delay * 1.2)
    expect(Math.min(...delays)).toBeLessThan(delay * 0.81)
    expect(Math.max(...delays)).toBeGreaterThan(delay * 1.19)
  }
})

test.each([
  ['320', 320, 'a longer delay is honoured'],
  ['600', 600, 'up to twice the delay'],
  ['601', 600, 'and no longer'],
  ['999999999', 600, 'whatever is requested'],
  ['10', 300, 'a shorter delay is ignored'],
  ['Thu, 15 Jan 2026 12:07:30 GMT', 450, 'a date'],
  ['Thursday, 15-Jan-26 12:07:30 GMT', 450, 'an RFC 850 date'],
  ['Thu, 15 Jan 2027 12:07:30 GMT', 600, 'a distant date'],
  ['Thu, 15 Jan 2026 11:00:00 GMT', 300, 'a past date'],
  ['-5', 300, 'malformed'],
  ['1e9', 300, 'malformed'],
  ['Infinity', 300, 'malformed'],
  ['2026', 600, 'a number means seconds, not a year'],
  ['', 300, 'empty'],
])('[HOOK-6] Retry-After "%s" gives a delay of %d seconds: %s', (retry_after, expected) => {
  expect(computeRetryDelay(after(2, retry_after), middle)).toBe(expected)
})

test('[HOOK-6] whatever a receiver sends, the delay stays between 0.8 and 2 times the scheduled one', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 5 }), (retry_after, failures) => {
      const delay = computeRetryDelay(after(failures, retry_after)) ?? Number.NaN
      const scheduled = backoff_seconds[failures - 1] ?? Number.NaN
      expect(delay).toBeGreaterThanOrEqual(0.8 * scheduled)
      expect(delay).toBeLessThanOrEqual(2 * scheduled)
    }),
    { numRuns: 5000 },
  )
})
