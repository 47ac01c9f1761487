import { expect, test } from 'vitest'
import { countTicks, timeTicks, unitOf } from './ticks.ts'

test.for([
  [0, [0, 1]],
  [3, [0, 1, 2, 3]],
  [7, [0, 2, 4, 6, 8]],
  [396, [0, 100, 200, 300, 400]],
  [710, [0, 200, 400, 600, 800]],
  [10_223, [0, 2500, 5000, 7500, 10_000, 12_500]],
])('an axis of counts to %s has round steps and ends shortly above', ([max, ticks]) => {
  expect(countTicks(max as number)).toEqual(ticks)
})

test.for([
  [0.4, [0, 1], 's'],
  [47, [0, 10, 20, 30, 40, 50], 's'],
  [400, [0, 120, 240, 360, 480], 'min'],
  [4000, [0, 900, 1800, 2700, 3600, 4500], 'min'],
  [80_000, [0, 18_000, 36_000, 54_000, 72_000, 90_000], 'h'],
])('an axis of times to %s seconds is round in the unit that it shows', ([max, ticks, unit]) => {
  expect(timeTicks(max as number)).toEqual(ticks)
  expect(unitOf(ticks as number[]).name).toBe(unit)
})

test('no axis overshoots to the double, and none clips', () => {
  for (let max = 2; max < 100_000; max = Math.ceil(max * 1.07)) {
    for (const ticks of [countTicks(max), timeTicks(max)]) {
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(max)
      expect(ticks.at(-1)).toBeLessThan(max * 2)
      expect(ticks.length).toBeLessThanOrEqual(6)
    }
  }
})
