import { expect, test } from 'vitest'
import { openHostConcurrency } from './host-concurrency.ts'

/** A pace with a clock of its own; each round passes 10 ms. */
function openWithClock(most = 64) {
  let now_ms = 0
  const pace = openHostConcurrency(() => now_ms)
  const note = (ready: string[], full: string[], all: boolean) => {
    now_ms += 10
    pace.update({ ready: new Set(ready), full: new Map(full.map((host) => [host, most])), complete: all })
  }
  const round = (ready: string[], full: string[], times = 1) => {
    for (let time = 0; time < times; time += 1) note(ready, full, true)
  }
  return { allowed: (host = 'a') => pace.limit(host), round, note }
}

test('[HOOK-8] a host has one message open, and more only while it stays behind', () => {
  const { allowed, round } = openWithClock()
  expect(allowed()).toBe(1)
  round(['a'], ['a'], 49)
  expect(allowed()).toBe(1)
  round(['a'], ['a'], 2)
  expect(allowed()).toBe(2)
  round(['a'], ['a'], 300)
  expect(allowed()).toBe(64)
  expect(allowed('b')).toBe(1)
})

test('[HOOK-9] a host has no more open than it can use', () => {
  const { allowed, round } = openWithClock(16)
  round(['a'], ['a'], 1000)
  expect(allowed()).toBe(16)
})

test('[HOOK-8] bursts that are over within half a second change nothing, however many', () => {
  const { allowed, round } = openWithClock()
  for (let burst = 0; burst < 20; burst += 1) {
    round(['a'], ['a'], 40)
    round([], [], 2)
  }
  expect(allowed()).toBe(1)
})

test('[HOOK-8] a host that keeps up goes back to one, and is forgotten', () => {
  const { allowed, round } = openWithClock()
  round(['a'], ['a'], 310)
  round([], [], 51)
  expect(allowed()).toBe(32)
  round(['a'], [], 400)
  expect(allowed()).toBe(1)
})

test('[HOOK-9] a host that a round did not reach is not taken for one that keeps up', () => {
  const { allowed, note } = openWithClock()
  for (let page = 0; page < 30; page += 1) {
    note(['a'], ['a'], false)
    note(['b'], [], false)
  }
  expect(allowed()).toBe(2)
})
