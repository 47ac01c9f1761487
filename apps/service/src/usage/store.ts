import type { Db } from '../platform/db/open.ts'
import { sql } from '../platform/db/sql.ts'

export type UsageRow = { today: string; day: string; verifications_created: number }

/** Today's date and the tenant's last 30 days with any usage, newest first. */
export async function readUsage(
  db: Db,
  tenantId: string,
): Promise<{ today: string; days: Omit<UsageRow, 'today'>[] }> {
  const rows = await db.query<{ today: string; day: string | null; used: number | null }>(sql`
    select service_day() as today, days.day, days.used
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
