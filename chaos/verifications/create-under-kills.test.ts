import { expect, test } from 'vitest'
import { createUnderKills, createWithInjectedFault } from './create-under-kills.ts'

const kills = 4

test(
  `[IDEM-7] [QUOTA-2] processes and connections killed ${kills} times: nothing acknowledged is lost, nothing is created twice`,
  { timeout: 300_000 },
  async () => {
    const ledger = await createUnderKills({ n: kills })

    expect(ledger).toMatchObject({ lost: 0, duplicated: 0 })
    expect(ledger.faults).toBeGreaterThanOrEqual(kills)
    expect(ledger.acknowledged).toBeGreaterThan(50)
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
