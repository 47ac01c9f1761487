import { failureCodes } from '@vidimus/contract'
import { failures } from '@vidimus/protocol'
import { expect, test } from 'vitest'
import type { OutcomeCount } from './store.ts'
import { rankFailures, sumOutcomes } from './get-figures.ts'

/** The bucket of a time, as the database computes it. */
const bucketOf = (seconds: number) =>
  Math.min(44, Math.max(1, Math.ceil(Math.log(seconds / 0.25) / Math.log(1.25))))

const responded = (seconds: number, verifications = 1): OutcomeCount => ({
  day: '2026-11-16',
  outcome: 'completed',
  error_code: '',
  opened: true,
  response_bucket: bucketOf(seconds),
  verifications,
})

test('median and 95th percentile are off by an eighth at most', () => {
  for (const spread of [1.5, 10, 200]) {
    const times = Array.from({ length: 1001 }, (_, index) => 2 * spread ** (index / 1000))
    const { median_seconds = 0, p95_seconds = 0 } = sumOutcomes(times.map((time) => responded(time)))
    for (const [estimate, exact = 0] of [
      [median_seconds, times[500]],
      [p95_seconds, times[950]],
    ] as const) {
      expect(Math.abs(estimate / exact - 1)).toBeLessThan(0.125)
    }
  }
})

test('one answer has its own time, and none has none', () => {
  const { median_seconds = 0, p95_seconds = 0 } = sumOutcomes([responded(48)])
  expect(Math.abs(median_seconds / 48 - 1)).toBeLessThan(0.125)
  expect(Math.abs(p95_seconds / 48 - 1)).toBeLessThan(0.125)
  expect(sumOutcomes([])).toEqual({
    created: 0,
    opened: 0,
    completed: 0,
    failed: 0,
    declined: 0,
    expired: 0,
    pending: 0,
  })
})

test('the contract names every reason of a failure', () => {
  expect(Object.keys(failures)).toEqual(failureCodes)
})

test('failures are ranked by their number', () => {
  const failed = (error_code: string, verifications: number): OutcomeCount => ({
    ...responded(1, verifications),
    outcome: 'failed',
    error_code,
  })
  const counts = [failed('a', 1), failed('b', 2), failed('a', 4), failed('c', 2), responded(1)]
  expect(rankFailures(counts, 2)).toEqual([
    { code: 'a', count: 5 },
    { code: 'b', count: 2 },
  ])
})
