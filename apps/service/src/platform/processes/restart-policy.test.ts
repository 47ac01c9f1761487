import { expect, test } from 'vitest'
import { maxEarlyEnds, openRestartPolicy, restartDelay, stable_ms } from './restart-policy.ts'

test('[PROC-6] a process that served for a while is replaced at once, and one that keeps ending after longer and longer delays', () => {
  const policy = openRestartPolicy()
  const early = { served_ms: 0, othersServe: true }
  expect(policy.next({ served_ms: stable_ms, othersServe: false })).toBe(0)
  const delays_ms = Array.from({ length: 12 }, () => policy.next(early))
  expect(delays_ms.slice(0, 4)).toEqual([200, 400, 800, 1600])
  expect(delays_ms.at(-1)).toBe(restartDelay.max_ms)
  expect(policy.next({ served_ms: stable_ms, othersServe: false })).toBe(0)
  expect(policy.next(early)).toBe(200)
})

test('[PROC-6] the supervisor gives up after several early ends in a row, but not while another process serves', () => {
  const policy = openRestartPolicy()
  for (let count = 1; count < maxEarlyEnds; count += 1)
    expect(policy.next({ served_ms: 10, othersServe: false })).toBeTypeOf('number')
  expect(policy.next({ served_ms: 10, othersServe: true })).toBeTypeOf('number')
  expect(policy.next({ served_ms: 10, othersServe: false })).toBe('give up')
})
