import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openAuditFixture } from '../../../test/audit/audit.ts'
import { buildLog, randomTampering, isDetected, rewind } from '../../../test/audit/tamper-audit.ts'
import { verifyEverything } from './verify.ts'

const tamperings = 100
const leaves = 260

test(
  `[AUD-3] all of ${tamperings} random alterations of stored rows are found; a complete rollback is found with a saved checkpoint`,
  { timeout: 240_000 },
  async () => {
    await using audit = await openAuditFixture()
    const { ctx } = audit
    const notes = await buildLog(ctx, leaves)
    expect(await verifyEverything(ctx)).toMatchObject({ valid: true, leaves, faults: [] })

    const missed: string[] = []
    for (let done = 0; done < tamperings;) {
      const tampering = randomTampering()
      const caught = await isDetected(ctx, tampering)
      if (caught !== undefined) done += 1
      if (caught === false) missed.push(tampering.what)
    }
    expect(missed).toEqual([])

    const folder = await mkdtemp(join(tmpdir(), 'vidimus-saved-'))
    await writeFile(join(folder, 'kept.checkpoint'), notes[leaves - 10] ?? '')
    const withFolder = { ...ctx, config: { ...ctx.config, AUDIT_CHECKPOINT_DIR: folder } }
    for (const size of [4, 100, leaves - 10, leaves - 5]) {
      expect(await isDetected(ctx, rewind(notes, size))).toBe(false)
      expect(await isDetected(withFolder, rewind(notes, size))).toBe(size < leaves - 9)
    }
    await rm(folder, { recursive: true })
  },
)
