import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { insertEntries, newTenants, openAuditFixture } from '../../../test/audit/audit.ts'
import { setClockOffset } from '../../../test/database/clock.ts'
import { rewind } from '../../../test/audit/tamper-audit.ts'
import { AuditTamperedError } from '../audit-tampered-error.ts'
import { openLog } from './open-log.ts'
import { saveCheckpoint } from './save-checkpoint.ts'
import { sequenceAudit } from '../chain/sequence.ts'
import { signTick } from './sign-tick.ts'
import { verifyEverything } from '../verify/verify.ts'

async function setUp() {
  const folder = join(await mkdtemp(join(tmpdir(), 'vidimus-saved-')), 'not there yet')
  const audit = await openAuditFixture({ AUDIT_CHECKPOINT_DIR: folder })
  const tenants = newTenants(2)
  return {
    ...audit,
    folder,
    read: (file: string) => readFile(join(folder, file), 'utf8'),
    /** A tick of a node, and the checkpoint that it signed. */
    async tick(ctx = audit.ctx) {
      await insertEntries(ctx.db, tenants, 3)
      await sequenceAudit(ctx)
      await signTick({ ...ctx, pause_ms: 0 })
      await saveCheckpoint(ctx)
      return (await openLog(ctx, ctx.db)).checkpoint ?? ''
    },
    async [Symbol.asyncDispose]() {
      await audit[Symbol.asyncDispose]()
      await rm(join(folder, '..'), { recursive: true })
    },
  }
}

test('the newest checkpoint is saved, and the first of every hour stays', async () => {
  await using at = await setUp()
  await setClockOffset(at.ctx.db, `${60 - new Date().getUTCMinutes()} minutes`)
  const first = await at.tick()
  const second = await at.tick()
  await setClockOffset(at.ctx.db, `${120 - new Date().getUTCMinutes()} minutes`)
  const third = await at.tick()

  const files = (await readdir(at.folder)).toSorted()
  expect(files).toEqual([
    expect.stringMatching(/T\d\dZ\.checkpoint$/),
    expect.stringMatching(/T\d\dZ\.checkpoint$/),
    'latest.checkpoint',
  ])
  expect(await Promise.all(files.map(at.read))).toEqual([first, third, third])
  expect(second).not.toBe(first)
})

test('two nodes with one folder never put an older checkpoint over a newer one', async () => {
  await using at = await setUp()
  const other = await at.node()
  await at.tick()
  const newest = await at.tick(other)
  await saveCheckpoint(at.ctx)

  expect(await at.read('latest.checkpoint')).toBe(newest)
})

test('a log that was wound back is neither signed nor saved, and the check tells', async () => {
  await using at = await setUp()
  const notes = [await at.tick(), await at.tick(), await at.tick()]
  await at.ctx.db.transaction((tx) => rewind(notes, 2).do(tx))
  const restarted = await at.node()

  await expect(at.tick(restarted)).rejects.toThrow(
    new AuditTamperedError('the audit log is shorter than the saved checkpoint'),
  )
  await expect(at.tick()).rejects.toThrow(AuditTamperedError)
  expect(await at.read('latest.checkpoint')).toBe(notes[2])
  expect(await verifyEverything(restarted)).toMatchObject({ valid: false })
})

test('a log that went another way after it was wound back is not saved over the first', async () => {
  await using at = await setUp()
  const notes = [await at.tick(), await at.tick(), await at.tick()]
  await at.ctx.db.transaction((tx) => rewind(notes, 1).do(tx))
  const elsewhere = { ...(await at.node()) }
  const blind = { ...elsewhere, config: { ...elsewhere.config, AUDIT_CHECKPOINT_DIR: undefined } }
  for (let tick = 0; tick < 4; tick += 1) await at.tick(blind)

  await expect(at.tick(await at.node())).rejects.toThrow('does not continue the saved checkpoint')
  const report = await verifyEverything(await at.node())
  expect(report.valid).toBe(false)
})

test('a saved checkpoint of another key is not passed over', async () => {
  await using at = await setUp()
  await at.tick()
  await writeFile(
    join(at.folder, 'latest.checkpoint'),
    (await at.read('latest.checkpoint')).replace(/.{9}=\n$/, 'AAAAAAAAA=\n'),
  )

  await expect(at.tick(await at.node())).rejects.toThrow('not signed by the key of this log')
})
