import { expect, test } from 'vitest'
import { rollingRestart, rollingRestartWithInjectedFault } from './rolling-restart.ts'

const restarts = 3
test(
  `no request fails and no keep-alive connection is reset in ${restarts} rolling restarts under load`,
  { timeout: 120_000 },
  async () => {
    const report = await rollingRestart({ n: restarts })

    expect(report).toMatchObject({ faults: restarts, lost: 0 })
    expect(report.acknowledged).toBeGreaterThan(200)
  },
)

test('the run detects a process that closes its connections at once', { timeout: 120_000 }, async () => {
  expect((await rollingRestartWithInjectedFault({ n: 1 })).lost).toBeGreaterThan(0)
})
