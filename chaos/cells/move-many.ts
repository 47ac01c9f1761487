import { flushAudit } from '../../apps/service/src/audit/advance.ts'
import type { Db } from '../../apps/service/src/engine/db/open.ts'
import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { insertCompletedVerifications } from '../../apps/service/test/database/completed-verifications.ts'
import { startTwoCells } from '../../apps/service/test/two-cells.ts'
import type { ChaosRun } from '../chaos-run.ts'

const batch = 2000
const url = 'https://8.8.8.8/hook'
const fillLimits = { statement_ms: 120_000 }

/** Moves a tenant with `n` verifications, each with its result, two audit entries and a delivery: how long is it read-only? */
export const moveMany: ChaosRun = async ({ n = 100_000 }) => {
  await using cells = await startTwoCells()
  const { source, target } = cells
  const { tenant_id } = await source.tenant()
  for (let filled = 0; filled < n; filled += batch)
    await source.ctx.db.transaction(
      (tx) => insertBatch(tx, tenant_id, Math.min(batch, n - filled)),
      fillLimits,
    )
  await flushAudit(source.ctx)

  const { read_only_ms } = await cells.move(tenant_id)

  const count = async ({ ctx }: typeof target) =>
    ctx.db.query<{ id: string }>(
      sql`select id from verification_sessions where tenant_id = ${tenant_id} limit 10000000`,
    )
  const seconds = Math.round(read_only_ms / 100) / 10
  return {
    name: 'cells.move.many',
    faults: 1,
    acknowledged: n,
    lost: n - (await count(target)).length,
    duplicated: 0,
    unavailable_s: { median: seconds, worst: seconds, floor: 0 },
  }
}

async function insertBatch(tx: Db, tenant_id: string, count: number): Promise<void> {
  const ids = await insertCompletedVerifications(tx, { tenant_id, url, count })
  await tx.execute(sql`
    insert into audit_inbox (tenant_id, at, action, actor, subject, purpose, detail)
    select ${tenant_id}, service_now(), action, 'wallet', id, 'Age check at the till', '{"template":"age_over_18"}'
    from unnest(${ids}::text[]) as given (id), unnest(array['verification.created', 'verification.completed']) as action`)
  // One in a hundred is still queued.
  const delivered = ids.filter((_, index) => index % 100 !== 0)
  await tx.execute(sql`delete from webhook_events where verification_id = any (${delivered}::text[])`)
  await tx.execute(sql`
    insert into webhook_deliveries
      (verification_day, verification_id, attempt, tenant_id, environment, attempted_at, outcome, status, duration_ms, event_type, url)
    select service_day(), id, 1, ${tenant_id}, 'test', service_now(), 'delivered', 200, 12, 'verification.completed', ${url}
    from unnest(${delivered}::text[]) as given (id)`)
}
