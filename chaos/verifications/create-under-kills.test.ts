import { expect, test } from 'vitest'
import { createUnderKills, createWithInjectedFault } from './create-under-kills.ts'

const kills = 4

test(
  `[IDEM-7] [QUOTA-2] after ${kills} kills of processes and connections nothing acknowledged is lost and nothing is created twice`,
  { timeout: 300_000 },
  async () => {
    const report = await createUnderKills({ n: kills })

    expect(report).toMatchObject({ lost: 0, duplicated: 0 })
    expect(report.faults).toBeGreaterThanOrEqual(kills)
    expect(report.acknowledged).toBeGreaterThan(50)
  },
)

test(
  'the same run detects a quota that is counted outside the transaction',
  { timeout: 300_000 },
  async () => {
    const { duplicated } = await createWithInjectedFault({ n: kills })

    expect(duplicated).toBeGreaterThan(0)
  },
)
