import { expect, test } from 'vitest'
import { announceUnderKills, announceWithInjectedFault } from './announce-under-kills.ts'

/** Scaled down: 80 alerts and 2 kills; `npm run chaos -- alerts` runs 2,000 and 50. */
test('while workers are killed and three in ten attempts fail, each of 80 alerts arrives by mail and webhook', async () => {
  const { lost, duplicated, duplicates_allowed } = await announceUnderKills({ n: 80 })
  expect(lost).toBe(0)
  expect(duplicated).toBeLessThanOrEqual(duplicates_allowed ?? 0)
}, 400_000)

test('the run detects mails that are deleted before they are sent', async () => {
  const { lost } = await announceWithInjectedFault({ n: 40 })
  expect(lost).toBeGreaterThan(0)
}, 400_000)
