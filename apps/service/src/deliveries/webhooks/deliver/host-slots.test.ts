import { expect, test } from 'vitest'
import { maxSenders, openHostSlots } from './allocate-senders.ts'

const { slow_host, host: quick_host, tenant } = maxSenders
const slow_ms = 1000

test('[HOOK-9] a host has sixteen slots; a waiting event gets the next free one, or none if it waits too long', async () => {
  const slots = openHostSlots()
  for (let taken = 0; taken < slow_host; taken += 1) expect(await slots.acquire('a')).toBe(true)
  expect([slots.maxUseful('a'), slots.maxUseful('b')]).toEqual([slow_host, tenant])
  expect(await slots.acquire('b')).toBe(true)

  const [first, second] = [slots.acquire('a'), slots.acquire('a')]
  slots.release('a', slow_ms)
  expect(await first).toBe(true)
  expect(await second).toBe(false)
  expect(slots.maxUseful('a')).toBe(slow_host)
  for (let taken = 0; taken < slow_host; taken += 1) slots.release('a', slow_ms)
  expect(slots.maxUseful('a')).toBe(tenant)
  expect(await slots.acquire('a')).toBe(true)
})

test('[HOOK-9] a host that responds within a second has sixty-four, until it does not', async () => {
  const slots = openHostSlots()
  const granted: boolean[] = []
  for (let asked = 0; asked < quick_host + 5; asked += 1)
    void Promise.resolve(slots.acquire('a')).then((isGranted) => granted.push(isGranted))
  await new Promise(setImmediate)
  expect(granted).toHaveLength(slow_host)

  slots.release('a', 5)
  await new Promise(setImmediate)
  expect(granted).toHaveLength(quick_host + 1)
  expect(slots.maxUseful('a')).toBe(quick_host)

  slots.release('a', slow_ms)
  await new Promise(setImmediate)
  expect(granted).toHaveLength(quick_host + 1)
  expect(slots.maxUseful('a')).toBe(slow_host)
})
