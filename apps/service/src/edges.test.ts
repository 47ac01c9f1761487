import { expect, test } from 'vitest'
import { edges } from '../../../chaos/edges.ts'

const cells = 9
test(
  `[FAULT-1] [FAULT-2] [FAULT-8] ${cells} faults of PostgreSQL, Redis, names, receivers and the log: answers are right or 503, and all is well 5 s after each`,
  { timeout: 180_000 },
  async () => {
    const ledger = await edges({ n: cells })

    expect(ledger).toMatchObject({ faults: cells, lost: 0 })
    expect(ledger.acknowledged).toBeGreaterThan(100)
    expect(ledger.p99_ms).toBeLessThan(ledger.p99_allowed_ms ?? 0)
  },
)
