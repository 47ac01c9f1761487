import { expect, test } from 'vitest'
import { secretsInDump } from './secrets-in-dump.ts'

test(
  '[AUTH-2] [DEV-2] [HOOK-10] [REDEEM-4] a database dump and the log contain no issued key, token, code or secret',
  { timeout: 120_000 },
  async () => {
    const { faults, lost } = await secretsInDump({ n: 3 })
    expect(faults).toBeGreaterThan(50)
    expect(lost).toBe(0)
  },
)
