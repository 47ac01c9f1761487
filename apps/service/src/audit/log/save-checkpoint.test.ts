import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { insertEntries, newTenants, openAuditFixture } from '../../../test/audit/audit.ts'
import { setClockOffset } from '../../../test/database/clock.ts'
import { rewind } from '../../../test/audit/tamper-audit.ts'
import type { Database, Db } from '../../engine/db/open.ts'
import { sql } from '../../engine/db/sql.ts'
import { AuditTamperedError } from '../append.ts'
import { openLog } from './open-log.ts'
import { rotateAuditKey } from './rotate-key.ts'
import { saveCheckpoint } from './save-checkpoint.ts'
import { sequenceAudit } from '../chain/sequence.ts'
import { signLeaf } from './sign-leaf.ts'
import { verifyEverything } from '../verify/verify.ts'

async function setUp() {
  const folder = join(await mkdtemp(join(tmpdir(), 'vidimus-saved-')), 'missing')
  const audit = await openAuditFixture({ AUDIT_CHECKPOINT_DIR: folder })
  const tenants = newTenants(2)
  return {
    ...audit,
    folder,
    read: (file: string) => readFile(join(folder, file), 'utf8'),
    /** Signs a leaf on a node and returns its checkpoint. */
    async leaf(ctx = audit.ctx) {
      await insertEntries(ctx.db, tenants, 3)
      await sequenceAudit(ctx)
      await signLeaf({ ...ctx, pause_ms: 0 })
      await saveCheckpoint(ctx)
      return (await openLog(ctx, ctx.db)).checkpoint ?? ''
    },
    async [Symbol.asyncDispose]() {
      await audit[Symbol.asyncDispose]()
      await rm(join(folder, '..'), { recursive: true })
    },
  }
}

test('the newest checkpoint is saved, and the first of every hour is kept', async () => {
  await using fixture = await setUp()
  await setClockOffset(fixture.ctx.db, `${60 - new Date().getUTCMinutes()} minutes`)
  const first = await fixture.leaf()
  const second = await fixture.leaf()
  await setClockOffset(fixture.ctx.db, `${120 - new Date().getUTCMinutes()} minutes`)
  const third = await fixture.leaf()

  const files = (await readdir(fixture.folder)).toSorted()
  expect(files).toEqual([
    expect.stringMatching(/T\d\dZ\.checkpoint$/),
    expect.stringMatching(/T\d\dZ\.checkpoint$/),
    'latest.checkpoint',
  ])
  expect(await Promise.all(files.map(fixture.read))).toEqual([first, third, third])
  expect(second).not.toBe(first)
})

test('two nodes that share a folder never replace a newer checkpoint with an older one', async () => {
  await using fixture = await setUp()
  const other = await fixture.node()
  await fixture.leaf()
  const newest = await fixture.leaf(other)
  await saveCheckpoint(fixture.ctx)

  expect(await fixture.read('latest.checkpoint')).toBe(newest)
})

test('a log that was rolled back is neither signed nor saved, and verification finds it', async () => {
  await using fixture = await setUp()
  const notes = [await fixture.leaf(), await fixture.leaf(), await fixture.leaf()]
  await fixture.ctx.db.transaction((tx) => rewind(notes, 2).do(tx))
  const restarted = await fixture.node()

  await expect(fixture.leaf(restarted)).rejects.toThrow(
    new AuditTamperedError('the audit log is shorter than the saved checkpoint'),
  )
  await expect(fixture.leaf()).rejects.toThrow(AuditTamperedError)
  expect(await fixture.read('latest.checkpoint')).toBe(notes[2])
  expect(await verifyEverything(restarted)).toMatchObject({ valid: false })
})

test('a log that was rolled back and then diverged does not replace the saved checkpoint', async () => {
  await using fixture = await setUp()
  const notes = [await fixture.leaf(), await fixture.leaf(), await fixture.leaf()]
  await fixture.ctx.db.transaction((tx) => rewind(notes, 1).do(tx))
  const node = { ...(await fixture.node()) }
  const withoutFolder = { ...node, config: { ...node.config, AUDIT_CHECKPOINT_DIR: undefined } }
  for (let leaf = 0; leaf < 4; leaf += 1) await fixture.leaf(withoutFolder)

  await expect(fixture.leaf(await fixture.node())).rejects.toThrow('does not continue the saved checkpoint')
  const report = await verifyEverything(await fixture.node())
  expect(report.valid).toBe(false)
})

test('a saved checkpoint with an invalid signature is not ignored', async () => {
  await using fixture = await setUp()
  await fixture.leaf()
  await writeFile(
    join(fixture.folder, 'latest.checkpoint'),
    (await fixture.read('latest.checkpoint')).replace(/.{9}=\n$/, 'AAAAAAAAA=\n'),
  )

  await expect(fixture.leaf(await fixture.node())).rejects.toThrow("not signed with this log's key")
})

test('[AUD-3] a checkpoint that is saved while the log is read is not taken for a truncated log', async () => {
  await using fixture = await setUp()
  const { ctx } = fixture
  await fixture.leaf()
  // The first query after `repeatable read` takes the snapshot.
  let isNext = false
  const leafAfterSnapshot = (tx: Db): Db => ({
    async execute(statement) {
      if (statement.texts.some((text) => text.includes('repeatable read'))) isNext = true
      return tx.execute(statement)
    },
    async query(statement) {
      const rows = await tx.query(statement)
      if (isNext) await fixture.leaf()
      isNext = false
      return rows as never[]
    },
  })
  const transaction: Database['transaction'] = (work, limits) =>
    ctx.db.transaction((tx) => work(leafAfterSnapshot(tx)), limits)
  const slow = { ...ctx, db: { ...ctx.db, transaction } }

  expect(await verifyEverything(slow)).toMatchObject({ valid: true, leaves: 1, faults: [] })
  expect(await verifyEverything(ctx)).toMatchObject({ valid: true, leaves: 2 })
})

test('checkpoints that were saved under an earlier key stay valid, and a rotation cannot be undone unnoticed', async () => {
  await using fixture = await setUp()
  await fixture.leaf()
  await fixture.ctx.db.execute(sql`create table before as select sealed_key, checkpoint from audit_log`)
  await rotateAuditKey(fixture.ctx)
  const resigned = (await openLog(fixture.ctx, fixture.ctx.db)).checkpoint
  expect(await fixture.read('latest.checkpoint')).toBe(resigned)
  expect(await verifyEverything(await fixture.node())).toMatchObject({ valid: true, faults: [] })

  await fixture.ctx.db.execute(sql`delete from audit_handovers`)
  await fixture.ctx.db.execute(sql`
    update audit_log set signature_start = null, sealed_key = before.sealed_key, checkpoint = before.checkpoint from before`)
  await expect(fixture.leaf(await fixture.node())).rejects.toThrow("not signed with this log's key")
  expect((await verifyEverything(fixture.ctx)).valid).toBe(false)
})

test('a rotation that is killed before its commit changes nothing, and after it nothing is missing', async () => {
  await using fixture = await setUp()
  const { ctx } = fixture
  await fixture.leaf()
  const before = await openLog(ctx, ctx.db)
  const saved = await fixture.read('latest.checkpoint')
  const killed = (when: 'before' | 'after') => {
    const transaction: typeof ctx.db.transaction = async (work, limits) => {
      let replaces = false
      const result = await ctx.db.transaction(async (tx) => {
        const execute: Db['execute'] = (statement) => {
          replaces ||= statement.texts.some((text) => text.includes('insert into audit_handovers'))
          return tx.execute(statement)
        }
        const done = await work({ ...tx, execute })
        if (replaces && when === 'before') throw new Error('killed')
        return done
      }, limits)
      if (replaces) throw new Error('killed')
      return result
    }
    return { ...ctx, db: { ...ctx.db, transaction } }
  }
  await expect(rotateAuditKey(killed('before'))).rejects.toThrow('killed')
  expect(await openLog(ctx, ctx.db)).toMatchObject({ checkpoint: before.checkpoint, handovers: [] })

  await expect(rotateAuditKey(killed('after'))).rejects.toThrow('killed')
  expect(await fixture.read('latest.checkpoint')).toBe(saved)
  expect((await openLog(ctx, ctx.db)).handovers).toHaveLength(1)
  const restarted = await fixture.node()
  expect(await verifyEverything(restarted)).toMatchObject({ valid: true, faults: [] })
  const next = await fixture.leaf(restarted)
  expect(await fixture.read('latest.checkpoint')).toBe(next)
})
