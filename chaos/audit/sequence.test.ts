import { expect, test } from 'vitest'
import { auditSequence, auditSequenceWithInjectedFault } from './sequence.ts'

const entries = 1200

/** Scaled down; `npm run chaos -- audit.sequence` runs 200,000 entries over 1,000 tenants and 50 kills. */
test(
  `[AUD-2] the chains have no gap or fork after workers were killed during ${entries} creations`,
  { timeout: 240_000 },
  async () => {
    expect(await auditSequence({ n: entries })).toMatchObject({
      acknowledged: entries,
      lost: 0,
      duplicated: 0,
    })
  },
)

test(
  'the run detects entries that leave the inbox before they are chained',
  { timeout: 240_000 },
  async () => {
    const { lost } = await auditSequenceWithInjectedFault({ n: 800 })
    expect(lost).toBeGreaterThan(0)
  },
)
