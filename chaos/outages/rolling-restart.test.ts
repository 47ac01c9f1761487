import { expect, test } from 'vitest'
import { rollingRestart, rollingRestartWithInjectedFault } from './rolling-restart.ts'

const restarts = 3
test(
  `a rolling restart, ${restarts} times under load: no request fails, no keep-alive connection is reset`,
  { timeout: 120_000 },
  async () => {
    const report = await rollingRestart({ n: restarts })

    expect(report).toMatchObject({ faults: restarts, lost: 0 })
    expect(report.acknowledged).toBeGreaterThan(200)
  },
)

test('the same run catches a process that cuts its connections off', { timeout: 120_000 }, async () => {
  expect((await rollingRestartWithInjectedFault({ n: 1 })).lost).toBeGreaterThan(0)
})
