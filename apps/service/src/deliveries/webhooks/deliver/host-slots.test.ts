import { expect, test } from 'vitest'
import { maxSenders, openHostSlots } from './allocate-senders.ts'

test('[HOOK-9] a host has sixteen slots; a waiting event gets the next free one, or none if it waits too long', async () => {
  const slots = openHostSlots()
  for (let taken = 0; taken < maxSenders.host; taken += 1) expect(await slots.acquire('a')).toBe(true)
  expect(slots.isSaturated('a')).toBe(true)
  expect(slots.isSaturated('b')).toBe(false)
  expect(await slots.acquire('b')).toBe(true)

  const [first, second] = [slots.acquire('a'), slots.acquire('a')]
  slots.release('a')
  expect(await first).toBe(true)
  expect(await second).toBe(false)
  expect(slots.isSaturated('a')).toBe(true)
  for (let taken = 0; taken < maxSenders.host; taken += 1) slots.release('a')
  expect(slots.isSaturated('a')).toBe(false)
  expect(await slots.acquire('a')).toBe(true)
})
