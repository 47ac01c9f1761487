import { expect, test } from 'vitest'
import { openHostSlots } from './host-slots.ts'
import { maxSenders } from './allocate-senders.ts'

test('[HOOK-9] a host has sixteen lines, whoever waits gets the next, and whoever waits too long gets none', async () => {
  const lines = openHostSlots()
  for (let taken = 0; taken < maxSenders.host; taken += 1) expect(await lines.acquire('a')).toBe(true)
  expect(lines.isSaturated('a')).toBe(true)
  expect(lines.isSaturated('b')).toBe(false)
  expect(await lines.acquire('b')).toBe(true)

  const [first, second] = [lines.acquire('a'), lines.acquire('a')]
  lines.release('a')
  expect(await first).toBe(true)
  expect(await second).toBe(false)
  expect(lines.isSaturated('a')).toBe(true)
  for (let taken = 0; taken < maxSenders.host; taken += 1) lines.release('a')
  expect(lines.isSaturated('a')).toBe(false)
  expect(await lines.acquire('a')).toBe(true)
})
