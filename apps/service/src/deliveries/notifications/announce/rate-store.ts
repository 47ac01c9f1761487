import type { Db } from '../../../engine/db/index.ts'
import { sql } from '../../../engine/db/sql.ts'

/**
 * Locks a tenant's announcements until the transaction ends, and returns how many alerts were announced in this hour, and when it
 * ends. Undefined if another process is announcing the tenant's alerts.
 */
export async function lockRate(
  tx: Db,
  tenant_id: string,
): Promise<{ announced: number; ends_at: string } | undefined> {
  const [lock] = await tx.query<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended('announce ' || ${tenant_id}, 0)) as locked`,
  )
  if (lock?.locked !== true) return undefined
  const [row] = await tx.query<{ announced: number; ends_at: string }>(sql`
    insert into alert_rates (tenant_id, hour, announced)
    select id, date_trunc('hour', service_now()), 0 from tenants where id = ${tenant_id}
    on conflict (tenant_id) do update
    set hour = excluded.hour,
      announced = case when alert_rates.hour = excluded.hour then alert_rates.announced else 0 end
    returning announced, hour + interval '1 hour' as ends_at`)
  return row
}

export async function addAnnounced(
  tx: Db,
  { tenant_id, count }: { tenant_id: string; count: number },
): Promise<void> {
  if (count === 0) return
  await tx.execute(
    sql`update alert_rates set announced = announced + ${count}::integer where tenant_id = ${tenant_id}`,
  )
}
