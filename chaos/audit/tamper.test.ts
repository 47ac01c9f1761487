import { expect, test } from 'vitest'
import { auditTamperExport, auditTamperExportWithInjectedFault } from './tamper.ts'

const alterations = 300

/** Scaled down; `npm run chaos -- audit.tamper.export` makes 5,000. */
test(
  `[AUD-3] of ${alterations} random alterations of an export all are found, those that cut off its end by a kept checkpoint`,
  { timeout: 120_000 },
  async () => {
    expect(await auditTamperExport({ n: alterations })).toMatchObject({ lost: 0 })
    // Without it an earlier export passes for the newest: the run can tell.
    expect((await auditTamperExportWithInjectedFault({ n: alterations })).lost).toBeGreaterThan(0)
  },
)
