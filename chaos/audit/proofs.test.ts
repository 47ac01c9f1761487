import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { auditProofs } from './proofs.ts'

const proofs = 80
const python = spawnSync('python3', ['--version']).status === 0

/** Scaled down; `npm run chaos -- audit.proofs` checks 1,000 entries and 200 pairs of checkpoints. */
test.runIf(python)(
  `[AUD-3] a second implementation that shares no code agrees on ${proofs} genuine and altered proofs`,
  { timeout: 240_000 },
  async () => {
    expect(await auditProofs({ n: proofs })).toMatchObject({ lost: 0 })
  },
)
