import { expect, test } from 'vitest'
import {
  checkLines,
  eraseTexts,
  exportLines,
  insertEntries,
  newTenants,
  openAuditFixture,
} from '../../../test/audit/audit.ts'
import { sql } from '../../engine/db/sql.ts'
import { advanceAudit } from '../advance.ts'
import { sequenceAudit } from './sequence.ts'
import { verifyEverything } from '../verify/verify.ts'

const raced = { nodes: 4, rounds: 20, batch: 60, tenants: 20 }
const erased = 60

test(`${raced.nodes} nodes sequence ${raced.rounds * raced.batch} entries concurrently without a gap, a fork or a loss`, async () => {
  await using audit = await openAuditFixture()
  const nodes = [audit.ctx, ...(await Promise.all(Array.from({ length: raced.nodes - 1 }, audit.node)))]
  const tenants = newTenants(raced.tenants)
  let isRunning = true
  const sequencers = nodes.map(async (ctx) => {
    while (isRunning) await advanceAudit(ctx)
  })
  for (let round = 0; round < raced.rounds; round += 1) {
    await insertEntries(audit.ctx.db, tenants, raced.batch)
  }
  isRunning = false
  await Promise.all(sequencers)

  const report = await verifyEverything(audit.ctx)
  expect(report).toMatchObject({
    valid: true,
    faults: [],
    tenants: raced.tenants,
    entries: raced.rounds * raced.batch,
  })
  const chains = await audit.ctx.db.query<{ seq: number }>(sql`select seq from audit_chains limit 100`)
  expect(chains.map(({ seq }) => seq)).toEqual(chains.map(() => (raced.rounds * raced.batch) / raced.tenants))
})

test('an entry that is not committed yet is skipped, not lost', async () => {
  await using audit = await openAuditFixture()
  const { db } = audit.ctx
  const tenants = newTenants(1)
  await db.transaction(async (tx) => {
    await insertEntries(tx, tenants, 1)
    await insertEntries(db, tenants, 3)
    expect(await sequenceAudit(audit.ctx)).toBe(3)
  })

  expect(await sequenceAudit(audit.ctx)).toBe(1)
  expect((await verifyEverything(audit.ctx)).entries).toBe(4)
})

test('a sequencer that dies mid-batch leaves the batch in the inbox', async () => {
  await using audit = await openAuditFixture()
  const { db } = audit.ctx
  await insertEntries(db, newTenants(3), 30)
  // The last write of a batch fails, as if the process had died before its commit.
  await db.execute(sql`alter table audit_chains add constraint injected check (seq < 5)`)
  await expect(sequenceAudit(audit.ctx)).rejects.toThrow('injected')
  const [left] = await db.query<{ count: number }>(sql`select count(*) as count from audit_inbox`)
  expect(left?.count).toBeGreaterThan(0)
  await db.execute(sql`alter table audit_chains drop constraint injected`)

  expect(await verifyEverything(audit.ctx)).toMatchObject({ valid: true, entries: 30 })
})

test('a chain that cannot be continued blocks only its own shard', async () => {
  await using audit = await openAuditFixture()
  const { db } = audit.ctx
  const tenants = newTenants(16).map(
    (tenant, shard) => `${shard.toString(16).padStart(2, '0')}${tenant.slice(2)}`,
  )
  await insertEntries(db, tenants, 16)
  await sequenceAudit(audit.ctx)
  await db.execute(sql`update audit_chains set seq = 0 where tenant_id = ${tenants[3]}`)
  await insertEntries(db, tenants, 32)

  await expect(sequenceAudit(audit.ctx)).rejects.toThrow('has entries beyond its recorded end')
  const left = await db.query<{ tenant_id: string }>(sql`select distinct tenant_id from audit_inbox limit 20`)
  expect(left).toEqual([{ tenant_id: tenants[3] }])
})

test(`an erasure concurrent with the sequencer deletes the texts wherever they are (${erased} times)`, async () => {
  await using audit = await openAuditFixture()
  const { ctx } = audit
  const { db } = ctx
  const [tenant = ''] = newTenants(1)
  let isRunning = true
  const sequencer = (async () => {
    while (isRunning) await advanceAudit(ctx)
  })()
  for (let round = 0; round < erased; round += 1) {
    await insertEntries(db, [tenant], 5)
    await db.execute(sql`
      insert into audit_inbox (tenant_id, action, actor, subject, purpose)
      values (${tenant}, 'verification.created', 'operator', ${`vs_${round}`}, ${`canary ${round}`})`)
    await new Promise((resolve) => setTimeout(resolve, (round % 12) * 3))
    await eraseTexts(db, tenant, `vs_${round}`)
  }
  isRunning = false
  await sequencer
  const lines = await exportLines(ctx, tenant)

  expect(lines.filter((line) => line.includes('canary'))).toEqual([])
  expect(await checkLines(ctx, lines)).toMatchObject({ valid: true, faults: [], entries: erased * 7 })
  const left = await db.query(sql`
    select seq from audit_texts where purpose like 'canary%' union all select id from audit_inbox limit 10`)
  expect(left).toEqual([])
})
