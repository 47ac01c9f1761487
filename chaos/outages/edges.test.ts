import { expect, test } from 'vitest'
import { edgeOutages } from './edges.ts'

const outages = 9
test(
  `[FAULT-2] [FAULT-8] in ${outages} outages of PostgreSQL, Redis, DNS, receivers and the log, responses are correct or 503, and the service recovers within 5 s`,
  { timeout: 180_000 },
  async () => {
    const report = await edgeOutages({ n: outages })

    expect(report).toMatchObject({ faults: outages, lost: 0 })
    expect(report.acknowledged).toBeGreaterThan(100)
    expect(report.p99_ms).toBeLessThan(report.p99_allowed_ms ?? 0)
  },
)
