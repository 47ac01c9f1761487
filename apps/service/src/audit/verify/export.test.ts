import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  checkLines,
  exportLines,
  insertEntries,
  newTenants,
  openAuditFixture,
} from '../../../test/audit/audit.ts'
import { setClockOffset } from '../../../test/database/clock.ts'
import { startService, type Service } from '../../../test/service.ts'
import { makePartitionsAhead } from '../../engine/db/schema/partitions.ts'
import { sql } from '../../engine/db/sql.ts'
import { advanceAudit } from '../advance.ts'
import { dropOldTexts } from '../chain/sequence.ts'
import { openLog } from '../log/open-log.ts'
import { verifyTenant } from './verify.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

type EntryLine = {
  entry: { seq: number; action: string; actor: string; commitments?: object; detail?: object }
  texts?: Record<string, { text: string }>
}

test('[CREATE-8] a purpose is committed to in the entry and exported beside it', async () => {
  const merchant = await service.tenant()
  const { body } = await merchant.post('/v1/verifications', {
    template: 'age_over_18',
    purpose: 'Sale of wine',
  })
  expect(body.purpose).toBe('Sale of wine')

  const lines = await exportLines(service.ctx, merchant.tenant_id)
  const created: EntryLine = JSON.parse(lines.at(-2) ?? '')
  expect(created.entry).toMatchObject({ action: 'verification.created', actor: `key:${merchant.key_id}` })
  expect(created.texts?.['purpose']?.text).toBe('Sale of wine')
  expect(created.texts?.['subject']?.text).toBe(body.id)
  expect(JSON.stringify(created.entry)).not.toContain('wine')
  expect(await checkLines(service.ctx, lines)).toMatchObject({ valid: true, removed: 0 })
})

test('[ERASE-4] after an erasure the chain verifies, records the erasure, and contains nothing of what was erased', async () => {
  const merchant = await service.tenant()
  const { ctx } = service
  const ids: string[] = []
  for (const purpose of ['kept', 'erased from the chain', 'erased on the way there']) {
    const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18', purpose })
    ids.push(body.id)
    if (purpose !== 'erased on the way there') await advanceAudit(ctx)
  }
  for (const id of ids.slice(1)) expect((await merchant.delete(`/v1/verifications/${id}`)).status).toBe(200)

  const lines = await exportLines(ctx, merchant.tenant_id)
  const entries: EntryLine[] = lines.slice(0, -1).map((line) => JSON.parse(line))
  const erasures = entries
    .filter(({ entry }) => entry.action === 'verification.erased')
    .map(({ entry }) => entry)
  const place = entries.find(({ texts }) => texts?.['purpose']?.text === 'kept')?.entry.seq ?? 0
  expect(erasures.map(({ actor, detail, commitments }) => ({ actor, detail, commitments }))).toEqual([
    { actor: `key:${merchant.key_id}`, detail: { removed: [place + 1] }, commitments: undefined },
    { actor: `key:${merchant.key_id}`, detail: { removed: [] }, commitments: undefined },
  ])
  expect(lines.join('\n')).toContain('kept')
  for (const erased of ['erased from', 'erased on', ...ids.slice(1)])
    expect(lines.join('\n')).not.toContain(erased)
  expect(await checkLines(ctx, lines)).toMatchObject({ valid: true, removed: 1, faults: [] })
  expect(await verifyTenant(ctx, merchant.tenant_id)).toMatchObject({ valid: true, removed: 1 })
})

test('[AUD-3] texts missing without an erasure count as tampering, and so do restored ones', async () => {
  await using own = await startService()
  const merchant = await own.tenant()
  const { ctx } = own
  const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18', purpose: 'Entry' })
  await advanceAudit(ctx)
  const before = await exportLines(ctx, merchant.tenant_id)
  await merchant.delete(`/v1/verifications/${body.id}`)
  const after = await exportLines(ctx, merchant.tenant_id)
  const place = before.findIndex((line) => line.includes(body.id))

  const restored = after.with(place, before[place] ?? '')
  expect((await checkLines(ctx, restored)).faults).toEqual([
    `line ${after.length}: entry ${place + 1}: its texts are present although an erasure names it`,
  ])
  await ctx.db.execute(sql`delete from audit_texts where tenant_id = ${merchant.tenant_id} and seq = 2`)
  expect((await verifyTenant(ctx, merchant.tenant_id)).faults).toEqual([
    `line ${after.length}: entry 2: its texts are missing, and no erasure names it`,
  ])
})

test('texts are dropped after 400 days, and the check accepts that by their age', async () => {
  await using audit = await openAuditFixture()
  const { ctx } = audit
  const [tenant = ''] = newTenants(1)
  const onDay = async (day: number, entries: number) => {
    await setClockOffset(ctx.db, `${day} days`)
    await makePartitionsAhead(ctx.db)
    await insertEntries(ctx.db, [tenant], entries)
    await advanceAudit(ctx)
  }
  await onDay(0, 4)
  await onDay(1, 3)
  await onDay(400, 2)
  expect(await dropOldTexts(ctx)).toBe(1)
  expect(await checkLines(ctx, await exportLines(ctx, tenant))).toMatchObject({
    valid: true,
    removed: 0,
    entries: 9,
  })

  await onDay(401, 1)
  expect(await dropOldTexts(ctx)).toBe(1)
  expect(await checkLines(ctx, await exportLines(ctx, tenant))).toMatchObject({
    valid: true,
    removed: 4,
    entries: 10,
  })

  await ctx.db.execute(sql`delete from audit_texts where seq = 8`)
  expect((await verifyTenant(ctx, tenant)).faults).toEqual([
    'line 11: entry 8: its texts are missing, and no erasure names it',
  ])
})

test('an export made during erasures is valid and contains no erased text', async () => {
  const rounds = 12
  const merchant = await service.tenant()
  const { ctx } = service
  const ids: string[] = []
  for (let made = 0; made < rounds; made += 1) {
    const { body } = await merchant.post('/v1/verifications', {
      template: 'age_over_18',
      purpose: `round ${made}`,
    })
    ids.push(body.id)
  }
  const erasing = (async () => {
    for (const id of ids) await merchant.delete(`/v1/verifications/${id}`)
  })()
  for (let round = 0; round < rounds; round += 1) {
    const lines = await exportLines(ctx, merchant.tenant_id)
    expect((await checkLines(ctx, lines)).faults).toEqual([])
  }
  await erasing
  expect((await exportLines(ctx, merchant.tenant_id)).join('\n')).not.toContain('round')
})

test('an old export is detected with a saved checkpoint, and an old head under the newest checkpoint without one', async () => {
  await using audit = await openAuditFixture()
  const { ctx } = audit
  const [tenant = '', other = ''] = newTenants(2)
  await insertEntries(ctx.db, [tenant, other], 8)
  const old = await exportLines(ctx, tenant)
  await insertEntries(ctx.db, [tenant, other], 8)
  const current = await exportLines(ctx, tenant)
  const { checkpoint: saved } = await openLog(ctx, ctx.db)

  expect((await checkLines(ctx, old)).valid).toBe(true)
  expect((await checkLines(ctx, old, saved)).faults).toEqual([expect.stringContaining('its end was cut off')])
  expect((await checkLines(ctx, current, saved)).valid).toBe(true)
  const cut = [...old.slice(0, -1), current.at(-1) ?? '']
  expect((await checkLines(ctx, cut)).faults).toEqual([
    "line 5: the last entry is not the tenant's newest in the signed leaf",
  ])
})
