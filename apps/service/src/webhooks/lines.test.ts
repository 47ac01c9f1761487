import { expect, test } from 'vitest'
import { openLines } from './lines.ts'
import { caps } from './share-out.ts'

test('[HOOK-9] a host has sixteen lines, whoever waits gets the next, and whoever waits too long gets none', async () => {
  const lines = openLines()
  for (let taken = 0; taken < caps.host; taken += 1) expect(await lines.take('a')).toBe(true)
  expect(lines.allBusy('a')).toBe(true)
  expect(lines.allBusy('b')).toBe(false)
  expect(await lines.take('b')).toBe(true)

  const [first, second] = [lines.take('a'), lines.take('a')]
  lines.giveBack('a')
  expect(await first).toBe(true)
  expect(await second).toBe(false)
  expect(lines.allBusy('a')).toBe(true)
  for (let taken = 0; taken < caps.host; taken += 1) lines.giveBack('a')
  expect(lines.allBusy('a')).toBe(false)
  expect(await lines.take('a')).toBe(true)
})
