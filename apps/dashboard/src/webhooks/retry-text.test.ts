import { expect, test } from 'vitest'
import { webhooks as german } from '../texts/de/webhooks.ts'
import { webhooks as english } from '../texts/en/webhooks.ts'
import { createFormats } from '../texts/formats.ts'
import { retryText } from './retry-text.ts'

test('the retry schedule is described from the configured delays', () => {
  const describe = (delays: readonly number[]) => retryText(delays, english.retries, createFormats('en'))
  expect(describe([5, 300, 1800, 7200, 18_000])).toBe(
    'Each event is attempted up to 6 times over about 8 hours.',
  )
  expect(describe([60, 600])).toBe('Each event is attempted up to 3 times over about 11 minutes.')
  expect(describe([1])).toBe('Each event is attempted up to 2 times over about 1 second.')
  expect(describe([])).toBe('Each event is attempted once.')
  expect(retryText([60, 600], german.retries, createFormats('de'))).toContain('etwa 11 Minuten')
})
