import { expect, test } from 'vitest'
import { edgeOutages } from './edges.ts'

const outages = 9
test(
  `[FAULT-1] [FAULT-2] [FAULT-8] ${outages} faults of PostgreSQL, Redis, names, receivers and the log: answers are right or 503, and all is well 5 s after each`,
  { timeout: 180_000 },
  async () => {
    const report = await edgeOutages({ n: outages })

    expect(report).toMatchObject({ faults: outages, lost: 0 })
    expect(report.acknowledged).toBeGreaterThan(100)
    expect(report.p99_ms).toBeLessThan(report.p99_allowed_ms ?? 0)
  },
)
