import { expect, test } from 'vitest'
import { eraseTexts, insertEntries, newTenants, openAuditFixture } from '../../../test/audit/audit.ts'
import { setClockOffset } from '../../../test/database/clock.ts'
import { makePartitionsAhead } from '../../engine/db/schema/partitions.ts'
import { sql, type Sql } from '../../engine/db/sql.ts'
import { listAudit, type ListAudit } from './list-audit.ts'
import { sequenceAudit } from '../chain/sequence.ts'

async function setUp() {
  const audit = await openAuditFixture()
  const { ctx } = audit
  const [tenant_id = '', other = ''] = newTenants(2)
  const page = (filter: Partial<ListAudit> = {}) => listAudit(ctx, { tenant_id, limit: 50, ...filter })
  const addEntry = async (entry: { action: string; actor: string; subject: string }) => {
    await ctx.db.execute(sql`
      insert into audit_inbox (tenant_id, action, actor, actor_name, subject, purpose)
      values (${tenant_id}, ${entry.action}, ${entry.actor}, 'Till 7', ${entry.subject}, 'Sale of wine')`)
  }
  return { ...audit, tenant_id, other, page, addEntry }
}

test('entries are listed newest first, page by page across days, each exactly once', async () => {
  await using fixture = await setUp()
  for (const day of [0, 1, 5]) {
    await setClockOffset(fixture.ctx.db, `${day} days`)
    await makePartitionsAhead(fixture.ctx.db)
    await insertEntries(fixture.ctx.db, [fixture.tenant_id, fixture.other], 40)
    await sequenceAudit(fixture.ctx)
  }
  const seen: number[] = []
  let before_seq: number | undefined
  do {
    const { data, next_before_seq } = await fixture.page({ limit: 7, before_seq })
    expect(data.length).toBeLessThanOrEqual(7)
    seen.push(...data.map(({ seq }) => seq))
    before_seq = next_before_seq
  } while (before_seq !== undefined)

  expect(seen).toEqual(Array.from({ length: 60 }, (_, place) => 60 - place))
})

test('entries are filtered by action, actor, subject and time, and erased texts are missing', async () => {
  await using fixture = await setUp()
  await fixture.addEntry({ action: 'key.created', actor: 'operator', subject: 'key 1' })
  await fixture.addEntry({ action: 'verification.created', actor: 'device:1', subject: 'vs_1' })
  await fixture.addEntry({ action: 'verification.created', actor: 'key:1', subject: 'vs_2' })
  await fixture.addEntry({ action: 'verification.redeemed', actor: 'key:1', subject: 'vs_2' })
  expect(await fixture.page()).toEqual({ data: [], waiting: 4 })
  await sequenceAudit(fixture.ctx)
  const seqs = async (filter: Partial<ListAudit>) => (await fixture.page(filter)).data.map(({ seq }) => seq)

  expect(await seqs({ action: 'verification.created' })).toEqual([3, 2])
  expect(await seqs({ actor: 'key' })).toEqual([4, 3])
  expect(await seqs({ actor: 'device:1' })).toEqual([2])
  expect(await seqs({ subject: 'vs_2' })).toEqual([4, 3])
  expect(await seqs({ subject: 'vs_2', action: 'verification.created' })).toEqual([3])
  const third = (await fixture.page()).data.find(({ seq }) => seq === 3)
  expect(await seqs({ from: third?.at })).toEqual([4, 3])
  expect(await seqs({ to: third?.at })).toEqual([2, 1])
  expect(await seqs({ tenant_id: fixture.other })).toEqual([])
  expect(third).toMatchObject({
    actor_name: 'Till 7',
    purpose: 'Sale of wine',
    subject: 'vs_2',
    erased: false,
  })

  await eraseTexts(fixture.ctx.db, fixture.tenant_id, 'vs_2')
  await sequenceAudit(fixture.ctx)
  const { data } = await fixture.page()
  expect(data.map(({ erased }) => erased)).toEqual([false, true, true, false, false])
  expect(JSON.stringify(data)).not.toContain('vs_2')
  expect(data[0]).toMatchObject({ action: 'verification.erased', detail: { removed: [3, 4] } })
})

test('a page scans a bounded number of entries and says where the next one continues', async () => {
  await using fixture = await setUp()
  await fixture.addEntry({ action: 'key.revoked', actor: 'operator', subject: 'key 1' })
  await insertEntries(fixture.ctx.db, [fixture.tenant_id], 22_500)
  while ((await sequenceAudit(fixture.ctx)) > 0);

  const first = await fixture.page({ action: 'key.revoked' })
  expect(first).toEqual({ data: [], next_before_seq: 2502, waiting: 0 })
  const second = await fixture.page({ action: 'key.revoked', before_seq: first.next_before_seq })
  expect(second.data.map(({ seq }) => seq)).toEqual([1])
  expect(second.next_before_seq).toBeUndefined()
})

test('a page reads only days that have entries, however many days the log covers', async () => {
  await using fixture = await setUp()
  const { db } = fixture.ctx
  await fixture.addEntry({ action: 'key.created', actor: 'operator', subject: 'key 1' })
  await sequenceAudit(fixture.ctx)
  await setClockOffset(db, '60 days')
  await db.execute(sql`
    select make_partitions('audit_entries', service_day() - 60, service_day()),
      make_partitions('audit_texts', service_day() - 60, service_day())`)
  await fixture.addEntry({ action: 'key.revoked', actor: 'operator', subject: 'key 1' })
  await sequenceAudit(fixture.ctx)
  let statements = 0
  const counted = {
    ...db,
    query: <Row extends object>(statement: Sql) => ((statements += 1), db.query<Row>(statement)),
  }
  const page = async (filter: Partial<ListAudit>) => {
    statements = 0
    const { data } = await listAudit({ db: counted }, { tenant_id: fixture.tenant_id, limit: 50, ...filter })
    return data.map(({ seq }) => seq)
  }

  expect(await page({})).toEqual([2, 1])
  expect(statements).toBeLessThanOrEqual(7)
  expect(await page({ subject: 'key 1' })).toEqual([2, 1])
  expect(statements).toBeLessThanOrEqual(5)
  expect(await page({ subject: 'key 2' })).toEqual([])
  expect(statements).toBeLessThanOrEqual(2)
})
