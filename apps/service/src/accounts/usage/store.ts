import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

export type UsageRow = { today: string; day: string; verifications_created: number }

/**
 * Today's date and the tenant's last 30 days with any usage, newest first. If the clock went back over midnight, today is the day that
 * creations still count for.
 */
export async function readUsage(
  db: Db,
  tenantId: string,
): Promise<{ today: string; days: Omit<UsageRow, 'today'>[] }> {
  const rows = await db.query<{ today: string; day: string | null; used: number | null }>(sql`
    select greatest(service_day(), (select day from tenant_usage where tenant_id = ${tenantId})) as today, days.day, days.used
    from (select 1) as always
    left join (
      select day, used from tenant_usage where tenant_id = ${tenantId} and used > 0
      union all
      (select day, used from usage_days where tenant_id = ${tenantId} order by day desc limit 30)
    ) as days on true
    order by days.day desc
    limit 30`)
  return {
    today: rows[0]?.today ?? '',
    days: rows.flatMap(({ day, used }) =>
      day === null || used === null ? [] : [{ day, verifications_created: used }],
    ),
  }
}

export type NearQuotaRow = { tenant_id: string; day: string; used: number; daily_quota: number }

/** Tenants that have used at least this share of today's quota: their own, or that of their plan. */
export async function readNearQuota(db: Db, percent: number): Promise<NearQuotaRow[]> {
  return db.query<NearQuotaRow>(sql`
    select tenant_id, day, used, daily_quota from (
      select u.tenant_id, u.day, u.used, coalesce(t.daily_quota, p.daily_quota) as daily_quota
      from tenant_usage u
      join tenants t on t.id = u.tenant_id
      join plans p on p.name = t.plan
      where u.day = service_day()
    ) today
    where used >= daily_quota * ${percent}::float8 / 100
    order by tenant_id
    limit 10000`)
}
