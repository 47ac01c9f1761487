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

/** Keeps what a tenant used on a day that was counted as a whole. A day that was kept before stays as it is. */
export async function insertUsageCounts(
  tx: Db,
  { tenant_id, day }: { tenant_id: string; day: string },
): Promise<void> {
  await tx.execute(sql`
    insert into usage_counts (tenant_id, day, environment, outcome, verifications)
    select c.tenant_id, c.day, c.environment, c.outcome, sum(c.verifications)
    from outcome_counts c
    where c.tenant_id = ${tenant_id} and c.day = ${day} and not c.by_template and not c.by_device
      and not exists (select from usage_counts k where k.tenant_id = c.tenant_id and k.day = c.day)
    group by 1, 2, 3, 4
    on conflict do nothing`)
}

/** The same for the days that were not counted yet, of a tenant that creates nothing any more. What is open will not be answered. */
export async function insertLastUsageCounts(tx: Db, tenant_id: string): Promise<void> {
  await tx.execute(sql`
    insert into usage_counts (tenant_id, day, environment, outcome, verifications)
    select u.tenant_id, u.day, u.environment, case when u.outcome = 'pending' then 'expired' else u.outcome end as ended,
      sum(u.verifications)
    from outcome_progress
    cross join uncounted_usage(array[${tenant_id}::uuid], through + 1, service_day() + 1) u
    where not exists (select from usage_counts k where k.tenant_id = u.tenant_id and k.day = u.day)
    group by 1, 2, 3, 4
    on conflict do nothing`)
}

/** How many rows the usage of a final day has. */
export async function countFinalUsage(db: Db, day: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    sql`select count(*) as count from usage_counts where day = ${day}`,
  )
  return row?.count ?? 0
}

export type FinalUsageRow = {
  tenant_id: string
  environment: 'test' | 'live'
  outcome: string
  verifications: number
}

/** A part of the usage of a final day, which is always the same. */
export async function readFinalUsage(
  db: Db,
  { day, offset, limit }: { day: string; offset: number; limit: number },
): Promise<FinalUsageRow[]> {
  return db.query<FinalUsageRow>(sql`
    select tenant_id, environment, outcome, verifications from usage_counts
    where day = ${day}
    order by tenant_id, environment, outcome
    offset ${offset} limit ${limit}`)
}

/** How many days the usage of a day is kept. */
export const usageKept_days = 3660

export async function deleteOldUsage(db: Db, limit: number): Promise<number> {
  return db.execute(sql`
    delete from usage_counts where ctid = any (array(
      select ctid from usage_counts where day < service_day() - ${usageKept_days}::integer limit ${limit}))`)
}

export type UsagePeriod = { from: string; to: string }

/** Tenants with any usage in a period, after the given one, ordered by id. */
export async function readUsageTenants(
  db: Db,
  { from, to, after, limit }: UsagePeriod & { after: string; limit: number },
): Promise<string[]> {
  const rows = await db.query<{ tenant_id: string }>(sql`
    select tenant_id from usage_counts where tenant_id > ${after} and day between ${from} and ${to}
    union
    select tenant_id from usage_days where tenant_id > ${after} and day between ${from} and ${to}
    union
    select tenant_id from tenant_usage where tenant_id > ${after} and day between ${from} and ${to} and used > 0
    order by tenant_id
    limit ${limit}`)
  return rows.map(({ tenant_id }) => tenant_id)
}

/** What a tenant used on a day in an environment. */
export type UsageCountRow = {
  tenant_id: string
  name: string | null
  day: string
  environment: 'test' | 'live'
  created: number
  completed: number
  failed: number
  declined: number
  expired: number
  pending: number
  /** It will not change. */
  final: boolean
}

/** From one snapshot, by tenant, day and environment. */
export async function readUsageCounts(
  db: Db,
  { from, to, tenants }: UsagePeriod & { tenants: readonly string[] },
): Promise<UsageCountRow[]> {
  const of = (outcome: string) =>
    sql`coalesce(sum(c.verifications) filter (where c.outcome = ${outcome}), 0)::bigint`
  return db.query<UsageCountRow>(sql`
    select c.tenant_id, t.name, c.day, c.environment, sum(c.verifications)::bigint as created,
      ${of('completed')} as completed, ${of('failed')} as failed, ${of('declined')} as declined,
      ${of('expired')} as expired, ${of('pending')} as pending, bool_and(c.final) as final
    from (
      select tenant_id, day, environment, outcome, verifications, true as final
      from usage_counts where tenant_id = any (${tenants}::uuid[]) and day between ${from} and ${to}
      union all
      select u.tenant_id, u.day, u.environment, u.outcome, u.verifications, false
      from uncounted_usage(${tenants}::uuid[], ${from}::date, ${to}::date) u
      where not exists (select from usage_counts k where k.tenant_id = u.tenant_id and k.day = u.day)
    ) c
    left join tenants t on t.id = c.tenant_id
    group by 1, 2, 3, 4
    order by c.tenant_id, c.day, c.environment desc
    limit 1000000`)
}
