import { expect, test } from 'vitest'
import { openHostConcurrency } from './deliver.ts'

/** With its own clock, which advances by 10 ms per round. */
function openWithClock(maxUseful = 64) {
  let now_ms = 0
  const concurrency = openHostConcurrency(() => now_ms)
  const update = (ready: string[], saturated: string[], complete: boolean) => {
    now_ms += 10
    concurrency.update({
      ready: new Set(ready),
      saturated: new Map(saturated.map((host) => [host, maxUseful])),
      complete,
    })
  }
  const rounds = (ready: string[], saturated: string[], count = 1) => {
    for (let round = 0; round < count; round += 1) update(ready, saturated, true)
  }
  return { limit: (host = 'a') => concurrency.limit(host), rounds, update }
}

test('[HOOK-8] a host has one open message, and more only while it has a backlog', () => {
  const { limit, rounds } = openWithClock()
  expect(limit()).toBe(1)
  rounds(['a'], ['a'], 49)
  expect(limit()).toBe(1)
  rounds(['a'], ['a'], 2)
  expect(limit()).toBe(2)
  rounds(['a'], ['a'], 300)
  expect(limit()).toBe(64)
  expect(limit('b')).toBe(1)
})

test('[HOOK-9] the limit does not exceed what a host can use', () => {
  const { limit, rounds } = openWithClock(16)
  rounds(['a'], ['a'], 1000)
  expect(limit()).toBe(16)
})

test('[HOOK-8] bursts shorter than half a second never raise the limit', () => {
  const { limit, rounds } = openWithClock()
  for (let burst = 0; burst < 20; burst += 1) {
    rounds(['a'], ['a'], 40)
    rounds([], [], 2)
  }
  expect(limit()).toBe(1)
})

test('[HOOK-8] the limit of a host without a backlog falls back to one', () => {
  const { limit, rounds } = openWithClock()
  rounds(['a'], ['a'], 310)
  rounds([], [], 51)
  expect(limit()).toBe(32)
  rounds(['a'], [], 400)
  expect(limit()).toBe(1)
})

test('[HOOK-9] a host that is not on the page of a round keeps its backlog', () => {
  const { limit, update } = openWithClock()
  for (let page = 0; page < 30; page += 1) {
    update(['a'], ['a'], false)
    update(['b'], [], false)
  }
  expect(limit()).toBe(2)
})
