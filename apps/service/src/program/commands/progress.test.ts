import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { progressIntervals_ms, startProgress } from './progress.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

function collect(isTTY: boolean) {
  const written: string[] = []
  return { written, output: { isTTY, write: (text: string) => written.push(text) } }
}

test('a terminal has one line with an estimate, which is cleared at the end', () => {
  const { written, output } = collect(true)
  const progress = startProgress(output)
  progress.update('entries', 0, 4000)
  vi.advanceTimersByTime(30_000)
  progress.update('entries', 1000, 4000)
  vi.advanceTimersByTime(progressIntervals_ms.terminal)
  expect(written.at(-1)).toBe('\r\u001B[Kentries: 1,000 of 4,000, 30 s, about 91 s left')
  progress.end()
  expect(written.at(-1)).toBe('\r\u001B[K')
  vi.advanceTimersByTime(60_000)
  expect(written.at(-1)).toBe('\r\u001B[K')
  expect(written.filter((text) => text.includes('\n'))).toEqual([])
})

test('elsewhere there is a line every ten seconds, also while nothing moves, and none for a short command', () => {
  const { written, output } = collect(false)
  const progress = startProgress(output)
  progress.update('migrations', 3, 50)
  vi.advanceTimersByTime(9000)
  expect(written).toEqual([])
  vi.advanceTimersByTime(11_000)
  expect(written).toEqual(['migrations: 3 of 50, 10 s\n', 'migrations: 3 of 50, 20 s\n'])
  // Another unit is estimated from its own start, and a total may be unknown.
  progress.update('rows', 0)
  vi.advanceTimersByTime(10_000)
  expect(written.at(-1)).toBe('rows: 0, 10 s\n')
  progress.end()
  expect(written).toHaveLength(3)
})

test('a long rest is in minutes or hours', () => {
  const { written, output } = collect(false)
  const progress = startProgress(output)
  progress.update('entries', 0, 1000)
  progress.update('entries', 10, 1000)
  vi.advanceTimersByTime(10_000)
  progress.update('entries', 11, 1000)
  vi.advanceTimersByTime(3_600_000 - 10_000)
  expect(written[0]).toBe('entries: 10 of 1,000, 10 s, about 17 min left\n')
  expect(written.at(-1)).toBe('entries: 11 of 1,000, 60 min, about 89.9 h left\n')
})
