import { listAudit } from '../../apps/service/src/audit/list.ts'
import { proveEntry } from '../../apps/service/src/audit/verify/prove.ts'
import { verifyEverything, verifyTenant } from '../../apps/service/src/audit/verify/verify.ts'
import { sql } from '../../apps/service/src/platform/db/sql.ts'
import { dayOfSessionId } from '../../apps/service/src/platform/ids.ts'
import { checkLines, exportLines } from '../../apps/service/test/audit/audit.ts'
import { expected } from './expected.ts'
import { shared, type Household } from './household.ts'
import type { World } from './world.ts'

/** A stranger's entries that name the victim's session are the stranger's, on their way to the chain and in it. */
export async function eraseBesideTwins(world: World): Promise<string[]> {
  const { ctx } = world.service
  const { id } = (await world.victim.merchant.post('/v1/verifications', shared.request)).body
  const { tenant_id } = world.stranger.merchant
  await ctx.db.execute(sql`
    insert into audit_inbox (tenant_id, action, actor, subject, purpose)
    values (${tenant_id}, 'twin', 'operator', ${id}, 'waiting')`)
  await ctx.db.execute(sql`
    insert into audit_texts (day, tenant_id, seq, secret, subject, purpose)
    values (${dayOfSessionId(id) ?? ''}, ${tenant_id}, 999999, '\\x00', ${id}, 'chained')`)
  await world.victim.merchant.delete(`/v1/verifications/${id}`)
  const twins = await ctx.db.query(sql`
    select purpose from audit_inbox where subject = ${id} union all select purpose from audit_texts where subject = ${id}`)
  await ctx.db.execute(sql`delete from audit_texts where seq = 999999`)
  return expected('the twins', twins, [{ purpose: 'waiting' }, { purpose: 'chained' }])
}

/** Each tenant's chain holds its own entries, and all of them. */
export async function auditApart({ service, victim, stranger, sleeper, newcomer }: World): Promise<string[]> {
  const { ctx } = service
  const tenants = [victim.merchant, stranger.merchant, sleeper, newcomer].map(({ tenant_id }) => tenant_id)
  const waiting = await ctx.db.query<{ tenant_id: string; count: number }>(sql`
    select tenant_id, count(*) as count from audit_inbox group by tenant_id`)
  const counts = new Map(waiting.map(({ tenant_id, count }) => [tenant_id, count]))
  const faults: string[] = []
  for (const tenant_id of tenants) {
    faults.push(
      ...expected(
        'what waits',
        (await listAudit(ctx, { tenant_id, limit: 1 })).waiting,
        counts.get(tenant_id),
      ),
    )
  }
  for (const tenant_id of tenants) {
    const lines = await exportLines(ctx, tenant_id)
    faults.push(...expected('the entries exported', lines.length - 1, counts.get(tenant_id)))
    for (const line of lines.slice(0, -1)) {
      const { entry } = JSON.parse(line)
      faults.push(...expected('the tenant of an entry', entry.tenant_id, tenant_id))
    }
    const { valid, entries } = await verifyTenant(ctx, tenant_id)
    faults.push(...expected('the chain', [valid, entries], [true, counts.get(tenant_id)]))
    const listed = await listAudit(ctx, { tenant_id, limit: 1000 })
    faults.push(...expected('the entries listed', listed.data.length, counts.get(tenant_id)))
    const proof = await proveEntry(ctx, { tenant_id, seq: 1 })
    const { proof: proven } = JSON.parse(proof)
    faults.push(...expected('what is proven', [proven.entry.tenant_id, proven.entry.seq], [tenant_id, 1]))
    faults.push(...expected('the proof', (await checkLines(ctx, [proof])).valid, true))
  }
  const about = async ({ merchant: { tenant_id } }: Household) =>
    (await listAudit(ctx, { tenant_id, subject: victim.sessions.completed.id, limit: 10 })).data.length
  faults.push(...expected('what is told of a session', [await about(victim), await about(stranger)], [2, 0]))
  const whole = await verifyEverything(ctx)
  return [...faults, ...expected('the log', whole.valid, true)]
}
