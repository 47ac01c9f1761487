import { expect, test } from 'vitest'
import { eraseTexts, insertEntries, newTenants, openAuditFixture } from '../../test/audit/audit.ts'
import { setClockOffset } from '../../test/database/clock.ts'
import { makePartitionsAhead } from '../platform/db/schema/partitions.ts'
import { sql, type Sql } from '../platform/db/sql.ts'
import { listAudit, type ListAudit } from './list.ts'
import { sequenceAudit } from './chain/sequence.ts'

async function setUp() {
  const audit = await openAuditFixture()
  const { ctx } = audit
  const [tenant_id = '', other = ''] = newTenants(2)
  const page = (wanted: Partial<ListAudit> = {}) => listAudit(ctx, { tenant_id, limit: 50, ...wanted })
  const leave = async (entry: { action: string; actor: string; subject: string }) => {
    await ctx.db.execute(sql`
      insert into audit_inbox (tenant_id, action, actor, actor_name, subject, purpose)
      values (${tenant_id}, ${entry.action}, ${entry.actor}, 'Till 7', ${entry.subject}, 'Sale of wine')`)
  }
  return { ...audit, tenant_id, other, page, leave }
}

test('entries are listed newest first, page by page over the days, each once', async () => {
  await using at = await setUp()
  for (const day of [0, 1, 5]) {
    await setClockOffset(at.ctx.db, `${day} days`)
    await makePartitionsAhead(at.ctx.db)
    await insertEntries(at.ctx.db, [at.tenant_id, at.other], 40)
    await sequenceAudit(at.ctx)
  }
  const seen: number[] = []
  let before_seq: number | undefined
  do {
    const { data, next_before_seq } = await at.page({ limit: 7, before_seq })
    expect(data.length).toBeLessThanOrEqual(7)
    seen.push(...data.map(({ seq }) => seq))
    before_seq = next_before_seq
  } while (before_seq !== undefined)

  expect(seen).toEqual(Array.from({ length: 60 }, (_, place) => 60 - place))
})

test('entries are found by action, actor, subject and time, with their texts or without the erased ones', async () => {
  await using at = await setUp()
  await at.leave({ action: 'key.created', actor: 'operator', subject: 'key 1' })
  await at.leave({ action: 'verification.created', actor: 'device:1', subject: 'vs_1' })
  await at.leave({ action: 'verification.created', actor: 'key:1', subject: 'vs_2' })
  await at.leave({ action: 'verification.redeemed', actor: 'key:1', subject: 'vs_2' })
  expect(await at.page()).toEqual({ data: [], waiting: 4 })
  await sequenceAudit(at.ctx)
  const seqs = async (wanted: Partial<ListAudit>) => (await at.page(wanted)).data.map(({ seq }) => seq)

  expect(await seqs({ action: 'verification.created' })).toEqual([3, 2])
  expect(await seqs({ actor: 'key' })).toEqual([4, 3])
  expect(await seqs({ actor: 'device:1' })).toEqual([2])
  expect(await seqs({ subject: 'vs_2' })).toEqual([4, 3])
  expect(await seqs({ subject: 'vs_2', action: 'verification.created' })).toEqual([3])
  const third = (await at.page()).data.find(({ seq }) => seq === 3)
  expect(await seqs({ from: third?.at })).toEqual([4, 3])
  expect(await seqs({ to: third?.at })).toEqual([2, 1])
  expect(await seqs({ tenant_id: at.other })).toEqual([])
  expect(third).toMatchObject({
    actor_name: 'Till 7',
    purpose: 'Sale of wine',
    subject: 'vs_2',
    erased: false,
  })

  await eraseTexts(at.ctx.db, at.tenant_id, 'vs_2')
  await sequenceAudit(at.ctx)
  const { data } = await at.page()
  expect(data.map(({ erased }) => erased)).toEqual([false, true, true, false, false])
  expect(JSON.stringify(data)).not.toContain('vs_2')
  expect(data[0]).toMatchObject({ action: 'verification.erased', detail: { removed: [3, 4] } })
})

test('a page looks through a bounded number of entries and says where the next goes on', async () => {
  await using at = await setUp()
  await at.leave({ action: 'key.revoked', actor: 'operator', subject: 'key 1' })
  await insertEntries(at.ctx.db, [at.tenant_id], 22_500)
  while ((await sequenceAudit(at.ctx)) > 0);

  const first = await at.page({ action: 'key.revoked' })
  expect(first).toEqual({ data: [], next_before_seq: 2502, waiting: 0 })
  const second = await at.page({ action: 'key.revoked', before_seq: first.next_before_seq })
  expect(second.data.map(({ seq }) => seq)).toEqual([1])
  expect(second.next_before_seq).toBeUndefined()
})

test('a page reads only days on which there is something to find, however many days the log has', async () => {
  await using at = await setUp()
  const { db } = at.ctx
  await at.leave({ action: 'key.created', actor: 'operator', subject: 'key 1' })
  await sequenceAudit(at.ctx)
  await setClockOffset(db, '60 days')
  await db.execute(sql`
    select make_partitions('audit_entries', service_day() - 60, service_day()),
      make_partitions('audit_texts', service_day() - 60, service_day())`)
  await at.leave({ action: 'key.revoked', actor: 'operator', subject: 'key 1' })
  await sequenceAudit(at.ctx)
  let statements = 0
  const counted = { ...db, query: <Row extends object>(one: Sql) => ((statements += 1), db.query<Row>(one)) }
  const page = async (wanted: Partial<ListAudit>) => {
    statements = 0
    const { data } = await listAudit({ db: counted }, { tenant_id: at.tenant_id, limit: 50, ...wanted })
    return data.map(({ seq }) => seq)
  }

  expect(await page({})).toEqual([2, 1])
  expect(statements).toBeLessThanOrEqual(7)
  expect(await page({ subject: 'key 1' })).toEqual([2, 1])
  expect(statements).toBeLessThanOrEqual(5)
  expect(await page({ subject: 'key 2' })).toEqual([])
  expect(statements).toBeLessThanOrEqual(2)
})
