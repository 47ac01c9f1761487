import { expect, test } from 'vitest'
import { verifyAfterCrash, verifyAfterCrashWithInjectedFault } from './verify-after-crash.ts'

const entries = 2000

/** Scaled down; `npm run chaos -- audit.after_crash` verifies 1,000,000 entries. */
test(`${entries} audit entries verify straight after a crash of PostgreSQL, without statistics, and an altered one is found`, async () => {
  expect(await verifyAfterCrash({ n: entries })).toMatchObject({ acknowledged: entries, lost: 0 })
  expect((await verifyAfterCrashWithInjectedFault({ n: entries })).lost).toBeGreaterThan(0)
})
