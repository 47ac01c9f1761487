import { expect, test } from 'vitest'
import { endWith } from '../spans.ts'
import { traced, traceRound, tracing } from '../tracing.ts'

test('while traces are off, what is traced gets its own promise back: no span, no further promise', () => {
  expect(tracing.tracer).toBeUndefined()
  const promise = Promise.resolve('done')
  expect(endWith(undefined, promise)).toBe(promise)
  expect(traced('work', () => promise)).toBe(promise)
  expect(traceRound('a loop', () => promise)).toBe(promise)
})
