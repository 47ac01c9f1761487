import { listAudit } from '../../../apps/service/src/audit/listing/list-audit.ts'
import { proveEntry } from '../../../apps/service/src/audit/verify/prove.ts'
import { verifyEverything, verifyTenant } from '../../../apps/service/src/audit/verify/verify.ts'
import { sql } from '../../../apps/service/src/engine/db/sql.ts'
import { dayOfVerificationId } from '../../../apps/service/src/engine/basics/ids.ts'
import { checkLines, exportLines } from '../../../apps/service/test/audit/audit.ts'
import { expectEqual } from '../expect-equal.ts'
import { sharedNames, type TenantFixture } from '../fixture/tenant-fixture.ts'
import type { IsolationFixture } from '../fixture/isolation-fixture.ts'

/** Erasing the victim's verification leaves entries of another tenant alone that name the same verification, in the inbox and in the chain. */
export async function eraseBesideEntriesOfOther(fixture: IsolationFixture): Promise<string[]> {
  const { ctx } = fixture.service
  const { id } = (await fixture.victim.merchant.post('/v1/verifications', sharedNames.request)).body
  const { tenant_id } = fixture.otherTenant.merchant
  await ctx.db.execute(sql`
    insert into audit_inbox (tenant_id, action, actor, subject, purpose)
    values (${tenant_id}, 'other', 'operator', ${id}, 'waiting')`)
  await ctx.db.execute(sql`
    insert into audit_texts (day, tenant_id, seq, secret, subject, purpose)
    values (${dayOfVerificationId(id) ?? ''}, ${tenant_id}, 999999, '\\x00', ${id}, 'chained')`)
  await fixture.victim.merchant.delete(`/v1/verifications/${id}`)
  const otherEntries = await ctx.db.query(sql`
    select purpose from audit_inbox where subject = ${id} union all select purpose from audit_texts where subject = ${id}`)
  await ctx.db.execute(sql`delete from audit_texts where seq = 999999`)
  return expectEqual('entries of the other tenant', otherEntries, [
    { purpose: 'waiting' },
    { purpose: 'chained' },
  ])
}

/** Each tenant's chain contains all of its own entries and no others. */
export async function checkAuditChains({
  service,
  victim,
  otherTenant,
  idleTenant,
  newTenant,
}: IsolationFixture): Promise<string[]> {
  const { ctx } = service
  const tenants = [victim.merchant, otherTenant.merchant, idleTenant, newTenant].map(
    ({ tenant_id }) => tenant_id,
  )
  const waiting = await ctx.db.query<{ tenant_id: string; count: number }>(sql`
    select tenant_id, count(*) as count from audit_inbox group by tenant_id`)
  const counts = new Map(waiting.map(({ tenant_id, count }) => [tenant_id, count]))
  const faults: string[] = []
  for (const tenant_id of tenants) {
    faults.push(
      ...expectEqual(
        'what waits',
        (await listAudit(ctx, { tenant_id, limit: 1 })).waiting,
        counts.get(tenant_id),
      ),
    )
  }
  for (const tenant_id of tenants) {
    const lines = await exportLines(ctx, tenant_id)
    faults.push(...expectEqual('the entries exported', lines.length - 1, counts.get(tenant_id)))
    for (const line of lines.slice(0, -1)) {
      const { entry } = JSON.parse(line)
      faults.push(...expectEqual('the tenant of an entry', entry.tenant_id, tenant_id))
    }
    const { valid, entries } = await verifyTenant(ctx, tenant_id)
    faults.push(...expectEqual('the chain', [valid, entries], [true, counts.get(tenant_id)]))
    const listed = await listAudit(ctx, { tenant_id, limit: 1000 })
    faults.push(...expectEqual('the entries listed', listed.data.length, counts.get(tenant_id)))
    const proof = await proveEntry(ctx, { tenant_id, seq: 1 })
    const { proof: proven } = JSON.parse(proof)
    faults.push(...expectEqual('what is proven', [proven.entry.tenant_id, proven.entry.seq], [tenant_id, 1]))
    faults.push(...expectEqual('the proof', (await checkLines(ctx, [proof])).valid, true))
  }
  const countEntriesAbout = async ({ merchant: { tenant_id } }: TenantFixture) =>
    (await listAudit(ctx, { tenant_id, subject: victim.verifications.completed.id, limit: 10 })).data.length
  faults.push(
    ...expectEqual(
      'entries about a verification',
      [await countEntriesAbout(victim), await countEntriesAbout(otherTenant)],
      [2, 0],
    ),
  )
  const whole = await verifyEverything(ctx)
  return [...faults, ...expectEqual('the log', whole.valid, true)]
}
