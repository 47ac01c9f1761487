import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { session } from '../test/session.ts'
import { createCountdown, formatTime } from './countdown.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the time is shown only in the last two minutes, with one warning a minute before the end', () => {
  const { log, countdown } = start()
  vi.advanceTimersByTime(779_000)
  expect(log).toEqual([])

  vi.advanceTimersByTime(1000)
  expect(log).toEqual(['2:00'])
  vi.advanceTimersByTime(1000)
  expect(log.at(-1)).toBe('1:59')
  vi.advanceTimersByTime(60_000)
  expect(log.filter((entry) => entry === 'warning')).toHaveLength(1)
  expect(log.indexOf('warning')).toBe(log.indexOf('1:00') + 1)

  vi.advanceTimersByTime(59_000)
  expect(log.slice(-2)).toEqual(['0:00', 'over'])
  countdown.stop()
})

test("it counts by the service's clock, and asks again while the service says that there is time", () => {
  // The service's clock is years from this one.
  const { log, countdown } = start({ now: '2031-01-01T00:00:00Z', expires_at: '2031-01-01T00:00:01Z' })
  vi.advanceTimersByTime(5000)
  countdown.stop()
  vi.advanceTimersByTime(5000)

  expect(log.filter((entry) => entry === 'over')).toHaveLength(3)
})

test('a session that arrives after the end starts no timer', () => {
  const { log, countdown } = start()
  countdown.stop()
  countdown.start(session({ now: '2026-11-16T10:14:50.000Z' }))

  expect([log, vi.getTimerCount()]).toEqual([[], 0])
})

test.each([
  [120_000, '2:00'],
  [60_001, '1:01'],
  [59_000, '0:59'],
  [1, '0:01'],
  [0, '0:00'],
])('%s ms are shown as %s', (left_ms, text) => {
  expect(formatTime(left_ms)).toBe(text)
})

function start(more = {}) {
  const log: string[] = []
  const countdown = createCountdown({
    onTime: (text) => void log.push(text),
    onWarning: () => void log.push('warning'),
    onOver: () => void log.push('over'),
  })
  countdown.start(session(more))
  return { log, countdown }
}
