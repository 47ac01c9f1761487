import { expect, test } from 'vitest'
import { lastQuotaUnit, pagingWhileCreating, sameIdempotencyKey, wholeQuota } from './creation-races.ts'

const keys = 50
test(
  `[IDEM-8] of 20 simultaneous identical requests on three processes exactly one creates (${keys} keys)`,
  { timeout: 120_000 },
  async () => {
    const report = await sameIdempotencyKey({ n: keys })

    expect(report).toMatchObject({ acknowledged: keys, lost: 0, duplicated: 0 })
    expect(report.faults).toBeGreaterThan(0)
  },
)

const rounds = 10
test(
  `[QUOTA-2] of 100 simultaneous requests on three processes for the last unit exactly one succeeds (${rounds} rounds)`,
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
  `[QUOTA-2] exactly ${whole} requests succeed with a quota of ${whole} under load on three processes`,
  { timeout: 120_000 },
  async () => {
    expect(await wholeQuota({ n: whole })).toMatchObject({ acknowledged: whole, lost: 0, duplicated: 0 })
  },
)

const verifications = 1000
test(
  `[READ-3] paging while others create returns each of ${verifications} verifications exactly once`,
  { timeout: 120_000 },
  async () => {
    const report = await pagingWhileCreating({ n: verifications })

    expect(report).toMatchObject({ lost: 0, duplicated: 0 })
    expect(report.acknowledged).toBeGreaterThanOrEqual(verifications)
    expect(report.faults).toBeGreaterThan(1)
  },
)
