import { expect, test } from 'vitest'
import { auditTamperExport, auditTamperExportWithInjectedFault } from './tamper.ts'

const alterations = 300

/** Scaled down; `npm run chaos -- audit.tamper.export` runs 5,000. */
test(
  `[AUD-3] all of ${alterations} random alterations of an export are detected, a truncation with the help of an earlier checkpoint`,
  { timeout: 240_000 },
  async () => {
    expect(await auditTamperExport({ n: alterations })).toMatchObject({ lost: 0 })
    // Without the checkpoint an earlier export passes as the newest, and the run detects it.
    expect((await auditTamperExportWithInjectedFault({ n: alterations })).lost).toBeGreaterThan(0)
  },
)
