import { expect, test } from 'vitest'
import { retryText } from './retry-text.ts'

test('the retry schedule is described from the configured delays', () => {
  expect(retryText([5, 300, 1800, 7200, 18_000])).toBe(
    'Each event is attempted up to 6 times over about 8 hours.',
  )
  expect(retryText([60, 600])).toBe('Each event is attempted up to 3 times over about 11 minutes.')
  expect(retryText([1])).toBe('Each event is attempted up to 2 times over about 1 second.')
  expect(retryText([])).toBe('Each event is attempted once.')
})
