import { expect, test } from 'vitest'
import { deliverUnderKills, deliverWithInjectedFault, deliverWithWrongSecret } from './deliver-under-kills.ts'

/** Scaled down: 600 results for three receivers and 3 kills; `npm run chaos -- webhooks` runs 20,000 and 100. */
test('[HOOK-8] while workers are killed and three in ten attempts fail, none of 600 results is lost for any of three receivers or sent after its erasure', async () => {
  const { lost, duplicated, duplicates_allowed = 0 } = await deliverUnderKills({ n: 600 })
  expect(lost).toBe(0)
  expect(duplicated).toBeLessThanOrEqual(duplicates_allowed)
}, 240_000)

test('the run detects events that are marked as delivered before they are sent', async () => {
  const { lost } = await deliverWithInjectedFault({ n: 200 })
  expect(lost).toBeGreaterThan(0)
}, 240_000)

test('the run detects events of endpoints that are signed with the tenant’s secret', async () => {
  const { lost } = await deliverWithWrongSecret({ n: 60 })
  expect(lost).toBeGreaterThan(0)
}, 240_000)
