import { expect, test } from 'vitest'
import { restoreToTimes } from './restore-drill.ts'

// `npm run chaos -- restore.injected` is the same without the ledger, and finds what comes back.
test('[RESTORE-6] after a restore to a moment under load, nothing that was erased or revoked is accepted or sent for one request', async () => {
  const report = await restoreToTimes({ n: 1 })
  process.stderr.write(`${JSON.stringify(report)}\n`)
  expect(report.acknowledged).toBeGreaterThan(5)
  expect(report.requests).toBeGreaterThan(50)
  expect(report.contradictions).toEqual({
    verification_accepted: 0,
    key_accepted: 0,
    device_accepted: 0,
    member_session_accepted: 0,
    webhooks_after_erasure: 0,
    tills_refused: 0,
    not_ready: 0,
    audit_failed: 0,
    exits: 0,
  })
})
