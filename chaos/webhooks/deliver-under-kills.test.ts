import { expect, test } from 'vitest'
import { deliverUnderKills, deliverWithInjectedFault } from './deliver-under-kills.ts'

/** Scaled down: 600 events and 3 kills; `npm run chaos -- webhooks` runs 20,000 and 100. */
test('[HOOK-8] while workers are killed and three in ten attempts fail, none of 600 events is lost or sent after its erasure', async () => {
  const { lost, duplicated, faults } = await deliverUnderKills({ n: 600 })
  expect(lost).toBe(0)
  // A worker that keeps up has one request in flight per host, so a kill causes at most one duplicate.
  expect(duplicated).toBeLessThanOrEqual(faults)
}, 240_000)

test('the run detects events that are marked as delivered before they are sent', async () => {
  const { lost } = await deliverWithInjectedFault({ n: 200 })
  expect(lost).toBeGreaterThan(0)
}, 240_000)
