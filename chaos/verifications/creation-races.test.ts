import { expect, test } from 'vitest'
import { lastQuotaUnit, pagingWhileCreating, sameIdempotencyKey, wholeQuota } from './creation-races.ts'

const keys = 50
test(
  `[IDEM-8] of 20 simultaneous equal requests over three processes one creates (${keys} keys)`,
  { timeout: 120_000 },
  async () => {
    const report = await sameIdempotencyKey({ n: keys })

    expect(report).toMatchObject({ acknowledged: keys, lost: 0, duplicated: 0 })
    expect(report.faults).toBeGreaterThan(0)
  },
)

const rounds = 10
test(
  `[QUOTA-2] of 100 simultaneous requests over three processes for one unit exactly one is served (${rounds} rounds)`,
  { timeout: 120_000 },
  async () => {
    expect(await lastQuotaUnit({ n: rounds })).toMatchObject({
      acknowledged: rounds,
      faults: rounds * 99,
      lost: 0,
      duplicated: 0,
    })
  },
)

const whole = 500
test(
  `[QUOTA-2] a quota of ${whole} under load from three processes is served to the last unit and no further`,
  { timeout: 120_000 },
  async () => {
    expect(await wholeQuota({ n: whole })).toMatchObject({ acknowledged: whole, lost: 0, duplicated: 0 })
  },
)

const sessions = 1000
test(
  `[READ-3] walking while others create visits every session exactly once (${sessions})`,
  { timeout: 120_000 },
  async () => {
    const report = await pagingWhileCreating({ n: sessions })

    expect(report).toMatchObject({ lost: 0, duplicated: 0 })
    expect(report.acknowledged).toBeGreaterThanOrEqual(sessions)
    expect(report.faults).toBeGreaterThan(1)
  },
)
