import { readCheckpoint, verifyConsistency } from '@vidimus/evidence'
import { expect, test } from 'vitest'
import { insertEntries, newTenants, openAuditFixture } from '../../../test/audit/audit.ts'
import { setClockOffset } from '../../../test/database/clock.ts'
import { sql } from '../../engine/db/sql.ts'
import { AuditTamperedError } from '../append.ts'
import { readLastLeaf } from './log-store.ts'
import { openLog } from './open-log.ts'
import { proveContinuation } from '../verify/prove.ts'
import { sequenceAudit } from '../chain/sequence.ts'
import { signLeaf } from './sign-leaf.ts'
import { verifyEverything } from '../verify/verify.ts'

test('nodes that take turns share one log, in which every checkpoint continues every earlier one', async () => {
  const leaves = 260
  await using audit = await openAuditFixture()
  const nodes = [audit.ctx, await audit.node()]
  const tenants = newTenants(4)
  const checkpoints: string[] = []
  for (let leaf = 0; leaf < leaves; leaf += 1) {
    const ctx = nodes[leaf % 2] ?? audit.ctx
    await insertEntries(ctx.db, tenants, 1 + (leaf % 4))
    await sequenceAudit(ctx)
    expect(await signLeaf({ ...ctx, pause_ms: 0 })).toBe(true)
    checkpoints.push((await openLog(ctx, ctx.db)).checkpoint ?? '')
  }

  const { publicKey } = (await openLog(audit.ctx, audit.ctx.db)).key
  const last = await readCheckpoint(checkpoints.at(-1) ?? '', publicKey)
  for (const note of checkpoints.filter((_, index) => index % 13 === 0)) {
    const first = await readCheckpoint(note, publicKey)
    const { continuation } = JSON.parse(await proveContinuation(audit.ctx, note))
    const path = continuation.path.map((hash: string) => Buffer.from(hash, 'hex'))
    expect(
      first !== undefined && last !== undefined && verifyConsistency({ first, second: last, path }),
    ).toBe(true)
  }
  expect(await verifyEverything(audit.ctx)).toMatchObject({ valid: true, leaves, faults: [] })
})

test('when many nodes sign at once, each head is in exactly one leaf', async () => {
  await using audit = await openAuditFixture()
  const nodes = [audit.ctx, ...(await Promise.all([1, 2, 3].map(() => audit.node())))]
  const tenants = newTenants(10)
  for (let round = 0; round < 10; round += 1) {
    await insertEntries(audit.ctx.db, tenants, 10)
    await sequenceAudit(audit.ctx)
    const signed = await Promise.all(nodes.map((ctx) => signLeaf({ ...ctx, pause_ms: 0 })))
    expect(signed.filter(Boolean)).toHaveLength(1)
  }

  expect(await verifyEverything(audit.ctx)).toMatchObject({ valid: true, leaves: 10, entries: 100 })
})

test('a leaf waits for its pause, and its time never decreases', async () => {
  await using audit = await openAuditFixture()
  const { ctx } = audit
  const tenants = newTenants(1)
  const leaf = async (pause_ms: number) => {
    await insertEntries(ctx.db, tenants, 1)
    await sequenceAudit(ctx)
    return signLeaf({ ...ctx, pause_ms })
  }

  expect(await leaf(60_000)).toBe(true)
  expect(await leaf(60_000)).toBe(false)
  await setClockOffset(ctx.db, '1 minute')
  expect(await leaf(60_000)).toBe(true)
  const before = (await readLastLeaf(ctx.db))?.at ?? ''
  await setClockOffset(ctx.db, '-1 minute')
  expect(await leaf(60_000)).toBe(true)
  expect((await readLastLeaf(ctx.db))?.at.slice(0, 23)).toBe(before.slice(0, 23))
  expect(((await readLastLeaf(ctx.db))?.at ?? '') > before).toBe(true)
})

const alterations = {
  'a leaf is altered': sql`update audit_leaves set at = at + interval '1 microsecond' where index = 1`,
  'the newest leaf is deleted': sql`delete from audit_leaves where index = 2`,
  'a signed head is altered': sql`update audit_chains set signed_link = sha256('another')`,
  'a chain is truncated': sql`update audit_chains set seq = 1, signed_seq = 1`,
  'the checkpoint is altered': sql`update audit_log set checkpoint = replace(checkpoint, '3', '4')`,
  'the key is altered': sql`update audit_log set sealed_key = set_byte(sealed_key, 30, 255 - get_byte(sealed_key, 30))`,
  'a tenant is deleted': sql`delete from audit_chains where tenant_id = (select min(tenant_id::text) from audit_chains)::uuid`,
}

for (const [what, alteration] of Object.entries(alterations)) {
  test(`nothing more is signed when ${what}`, async () => {
    await using audit = await openAuditFixture()
    const { ctx } = audit
    const tenants = newTenants(2)
    for (let leaf = 0; leaf < 3; leaf += 1) {
      await insertEntries(ctx.db, tenants, 4)
      await sequenceAudit(ctx)
      await signLeaf({ ...ctx, pause_ms: 0 })
    }
    await ctx.db.execute(alteration)
    await insertEntries(ctx.db, tenants, 4)
    const other = await audit.node()

    await expect(sequenceAudit(other).then(() => signLeaf({ ...other, pause_ms: 0 }))).rejects.toThrow(
      AuditTamperedError,
    )
    expect((await verifyEverything(other)).valid).toBe(false)
  })
}

test('a process with cached state does not continue a chain that was truncated since', async () => {
  await using audit = await openAuditFixture()
  const { ctx } = audit
  const tenants = newTenants(1)
  await insertEntries(ctx.db, tenants, 5)
  await sequenceAudit(ctx)
  await signLeaf({ ...ctx, pause_ms: 0 })
  await ctx.db.execute(sql`update audit_chains set seq = 2, signed_seq = 2`)
  await ctx.db.execute(sql`delete from audit_entries where seq > 2`)
  await ctx.db.execute(sql`delete from audit_texts where seq > 2`)
  await insertEntries(ctx.db, tenants, 1)
  await sequenceAudit(ctx)

  await expect(signLeaf({ ...ctx, pause_ms: 0 })).rejects.toThrow('is shorter than when it was signed')
})
