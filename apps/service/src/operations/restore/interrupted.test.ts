import { expect, test } from 'vitest'
import { openRestorableService, type RestorableService } from '../../../test/restored-service.ts'
import { caller } from '../../../test/caller.ts'
import { sql } from '../../engine/db/sql.ts'
import type { Context } from '../../engine/context.ts'
import { flushAudit } from '../../audit/advance.ts'
import { openLog } from '../../audit/log/open-log.ts'
import { rotateAuditKey } from '../../audit/log/rotate-key.ts'
import { verifyEverything } from '../../audit/verify/verify.ts'
import { revokeKey } from '../../accounts/api-keys/roll-key.ts'
import { applyRestore, readRestoreStatus } from './apply.ts'

/** A merchant whose verifications are erased, and whose second key is revoked, after the backup. The database is then restored. */
async function loseErasures(restorable: RestorableService) {
  const prepared = await restorable.run(async (service) => {
    const merchant = await service.tenant()
    const ids: string[] = []
    for (let count = 0; count < 4; count += 1)
      ids.push((await merchant.post('/v1/verifications', { template: 'age_over_18' })).body.id)
    const { key, key_id } = await merchant.as({})
    await flushAudit(service.ctx)
    return { merchant, ids, key, key_id }
  })
  await restorable.backUp()
  await restorable.run(async ({ ctx, address }) => {
    const { merchant, ids, key_id } = prepared
    for (const id of ids) await caller(address, merchant.key).delete(`/v1/verifications/${id}`)
    await revokeKey(ctx, { by: { kind: 'operator', tenant_id: merchant.tenant_id }, key_id })
    await flushAudit(ctx)
  })
  restorable.restore()
  return prepared
}

/** A context whose database fails at the given transaction, as if the process were killed there. */
function killedAt(ctx: Context, transaction: number): Context {
  let left = transaction
  return {
    ...ctx,
    db: {
      ...ctx.db,
      transaction: async (work, limits) => {
        left -= 1
        if (left === 0) throw new Error('killed')
        return ctx.db.transaction(work, limits)
      },
    },
  }
}

test('`admin restore apply` that is killed at any point is repeated, and the database is refused until it has finished', async () => {
  await using restorable = await openRestorableService()
  const { merchant, ids, key } = await loseErasures(restorable)

  const attempts = await restorable.command(async (ctx) => {
    for (let attempt = 1; ; attempt += 1) {
      // Each attempt gets one transaction further than the one before.
      const done = await applyRestore(killedAt(ctx, 2)).catch((error: Error) => error.message)
      if (done !== 'killed') return attempt
      expect((await readRestoreStatus(ctx)).entries).toBe(5)
    }
  })

  expect(attempts).toBe(7)
  await restorable.run(async ({ address, ctx }) => {
    for (const id of ids)
      expect((await caller(address, merchant.key).get(`/v1/verifications/${id}`)).status).toBe(404)
    expect((await caller(address, key).get('/v1/verifications')).status).toBe(401)
    await flushAudit(ctx)
    const [row] = await ctx.db.query(
      sql`select count(*) as count from audit_entries where action = 'audit.restored'`,
    )
    // In the chains of the tenant and of the installation.
    expect(row).toEqual({ count: 2 })
  })
})

test('a restored audit log names the checkpoint it does not continue, is signed again, and `admin audit verify` says so', async () => {
  await using restorable = await openRestorableService()
  await loseErasures(restorable)
  const before = await restorable.command((ctx) => verifyEverything(ctx))
  expect(before.valid).toBe(false)
  expect(before.faults.join()).toContain('shorter than the saved checkpoint')
  await expect(restorable.command((ctx) => flushAudit(ctx))).rejects.toThrow(
    'shorter than the saved checkpoint',
  )

  const { abandoned } = await restorable.command((ctx) => applyRestore(ctx))

  expect(abandoned).toMatchObject({ abandoned_size: 2, continued_size: 1 })
  await restorable.command(async (ctx) => {
    await flushAudit(ctx)
    const after = await verifyEverything(ctx)
    expect(after).toMatchObject({ valid: true, faults: [] })
    expect(after.abandoned).toEqual([`abandoned/2-${abandoned?.abandoned_root.slice(0, 16)}.checkpoint`])
    expect(await applyRestore(ctx)).toEqual({ entries: 0, applied: {} })
  })
})

test('a database that is restored to before the audit key was replaced continues with the key before', async () => {
  await using restorable = await openRestorableService()
  await restorable.run(async (service) => {
    await service.tenant()
    await flushAudit(service.ctx)
  })
  await restorable.backUp()
  // No leaf follows: the checkpoint that is lost has the size of the one that is restored.
  await restorable.command((ctx) => rotateAuditKey(ctx))
  restorable.restore()
  await expect(restorable.command((ctx) => flushAudit(ctx))).rejects.toThrow("not signed with this log's key")

  const { abandoned } = await restorable.command((ctx) => applyRestore(ctx))
  expect(abandoned).toMatchObject({ abandoned_size: 1, continued_size: 1 })
  await restorable.command(async (ctx) => {
    await flushAudit(ctx)
    expect(await verifyEverything(ctx)).toMatchObject({ valid: true, faults: [] })
    expect(await applyRestore(ctx)).toEqual({ entries: 0, applied: {} })
    await rotateAuditKey(ctx)
    expect((await openLog(ctx, ctx.db)).handovers).toHaveLength(1)
    expect(await verifyEverything(ctx)).toMatchObject({ valid: true, faults: [] })
  })
})
