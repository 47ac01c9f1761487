import type { Environment } from '@vidimus/contract'
import type { Db } from '../../platform/db/open.ts'
import { dayLiteral, sql } from '../../platform/db/sql.ts'

type TenantEnvironment = { tenant_id: string; environment: Environment }

/** `created` sessions of a day that have all of these in common. */
export type OutcomeCount = {
  day: string
  outcome: 'completed' | 'failed' | 'declined' | 'expired' | 'pending'
  /** Empty if it did not fail. */
  error_code: string
  opened: boolean
  /** 0 if there was no answer. */
  response_bucket: number
  sessions: number
}

export type Split = { name: string; sessions: number }

export type OutcomeSums = {
  counts: OutcomeCount[]
  templates: Split[]
  devices: Split[]
}

/** Null: whatever the template or device. */
export type OutcomeFilter = { template: string | null; device_id: string | null }

/** The newest sessions that are counted one by one; days that are over were counted before. */
export const maxCounted = 50_000
export const maxSplits = 100
/** Days of figures that are kept: the longest range, and those that a worker may be late. */
const keptDays = 92

export type Range = { today: string; first: string; counted_through: string }

/** The last `days` days, and up to which one figures were counted in advance. */
export async function readRange(db: Db, days: number): Promise<Range> {
  const [row] = await db.query<Range>(sql`
    select service_day() as today, service_day() - ${days - 1}::integer as first, through as counted_through
    from outcome_progress`)
  if (row === undefined) throw new Error('outcome_progress has no row')
  return row
}

/** The figures of days that were counted in advance. */
export async function readCounted(
  db: Db,
  { tenant_id, environment, first, through }: TenantEnvironment & { first: string; through: string },
  { template, device_id }: OutcomeFilter,
): Promise<OutcomeSums> {
  const inRange = sql`
    tenant_id = ${tenant_id} and environment = ${environment} and day between ${first}::date and ${through}::date`
  const [row] = await db.query<OutcomeSums>(sql`
    select
      (select coalesce(jsonb_agg(to_jsonb(c)), '[]') from (
        select day, outcome, error_code, opened, response_bucket, sessions from outcome_counts
        where ${inRange} and by_template = ${template !== null} and by_device = ${device_id !== null}
          and template = ${template ?? ''} and device_id = ${device_id ?? noDevice}) c) as counts,
      (select coalesce(jsonb_agg(to_jsonb(t)), '[]') from (
        select template as name, sum(sessions) as sessions from outcome_counts
        where ${inRange} and by_template and not by_device group by template order by 2 desc, 1 limit ${maxSplits}) t) as templates,
      (select coalesce(jsonb_agg(to_jsonb(d)), '[]') from (
        select device_id as name, sum(sessions) as sessions from outcome_counts
        where ${inRange} and by_device and not by_template and device_id <> ${noDevice}
        group by device_id order by 2 desc, 1 limit ${maxSplits}) d) as devices`)
  return row ?? { counts: [], templates: [], devices: [] }
}

const noDevice = '00000000-0000-0000-0000-000000000000'

/** The figures of the days since a given one, from the sessions themselves and those that were erased. */
export async function readUncounted(
  db: Db,
  { tenant_id, environment, since }: TenantEnvironment & { since: string },
  { template, device_id }: OutcomeFilter,
): Promise<OutcomeSums & { scanned: number }> {
  const [row] = await db.query<OutcomeSums & { scanned: number }>(sql`
    with recent as materialized (
      select day, template, device_id, outcome, error_code, opened, response_bucket
      from session_outcomes
      where tenant_id = ${tenant_id} and environment = ${environment} and day >= ${dayLiteral(since)}
      order by created_at desc
      limit ${maxCounted}
    ), counted as materialized (
      select day, template, device_id, outcome, error_code, opened, response_bucket, count(*) as sessions
      from recent group by 1, 2, 3, 4, 5, 6, 7
      union all
      select day, template, device_id, outcome, error_code, opened, response_bucket, sessions
      from erased_outcomes
      where tenant_id = ${tenant_id} and environment = ${environment} and day >= ${dayLiteral(since)}
    )
    select (select count(*) from recent) as scanned,
      (select coalesce(jsonb_agg(to_jsonb(c)), '[]') from (
        select day, outcome, error_code, opened, response_bucket, sum(sessions) as sessions from counted
        where (${template}::text is null or template = ${template}) and (${device_id}::uuid is null or device_id = ${device_id})
        group by 1, 2, 3, 4, 5) c) as counts,
      (select coalesce(jsonb_agg(to_jsonb(t)), '[]') from (
        select template as name, sum(sessions) as sessions from counted group by 1 order by 2 desc, 1 limit ${maxSplits}) t) as templates,
      (select coalesce(jsonb_agg(to_jsonb(d)), '[]') from (
        select device_id as name, sum(sessions) as sessions from counted
        where device_id <> ${noDevice} group by 1 order by 2 desc, 1 limit ${maxSplits}) d) as devices`)
  return row ?? { counts: [], templates: [], devices: [], scanned: 0 }
}

/**
 * The next day to count in advance: one whose last session has ended, and whose last code can no longer be redeemed. Undefined
 * if there is none.
 */
export async function readNextDay(db: Db): Promise<string | undefined> {
  const [row] = await db.query<{ day: string }>(sql`
    select day from (select greatest(through + 1, service_day() - ${keptDays}::integer) as day from outcome_progress) next
    where day < ((service_now() - interval '2 hours') at time zone 'UTC')::date`)
  return row?.day
}

/** Tenants with sessions on a day, ordered by id. */
export async function readTenantsOfDay(
  db: Db,
  { day, after, limit }: { day: string; after: string; limit: number },
): Promise<string[]> {
  const rows = await db.query<{ tenant_id: string }>(sql`
    select tenant_id from usage_days where day = ${day} and tenant_id > ${after}
    union
    select tenant_id from tenant_usage where day = ${day} and used > 0 and tenant_id > ${after}
    order by tenant_id
    limit ${limit}`)
  return rows.map(({ tenant_id }) => tenant_id)
}

/** Counts a tenant's day in advance, in all four splits. A day that was counted before stays as it is. */
export async function insertCounts(
  tx: Db,
  { tenant_id, day }: { tenant_id: string; day: string },
): Promise<void> {
  await tx.execute(sql`
    insert into outcome_counts (
      tenant_id, environment, by_template, by_device, template, device_id, day, outcome, error_code, opened, response_bucket,
      sessions)
    select ${tenant_id}::uuid, environment, grouping(template) = 0, grouping(device_id) = 0, coalesce(template, ''),
      coalesce(device_id, ${noDevice}::uuid), ${dayLiteral(day)}, outcome, error_code, opened, response_bucket, sum(sessions)
    from (
      select environment, template, device_id, outcome, error_code, opened, response_bucket, 1 as sessions
      from session_outcomes
      where tenant_id = ${tenant_id} and day = ${dayLiteral(day)}
      union all
      select environment, template, device_id, outcome, error_code, opened, response_bucket, sessions
      from erased_outcomes
      where tenant_id = ${tenant_id} and day = ${dayLiteral(day)}
    ) counted
    group by environment, outcome, error_code, opened, response_bucket, cube (template, device_id)
    on conflict do nothing`)
}

export async function markCounted(db: Db, day: string): Promise<void> {
  await db.execute(sql`update outcome_progress set through = ${day} where through < ${day}`)
}

/** Deletes figures that are no longer shown, and erased sessions of days that were counted, up to `limit` of each. */
export async function deleteOldCounts(db: Db, limit: number): Promise<number> {
  const old = await db.execute(sql`
    delete from outcome_counts where ctid = any (array(
      select ctid from outcome_counts where day < service_day() - ${keptDays}::integer limit ${limit}))`)
  const erased = await db.execute(sql`
    delete from erased_outcomes where ctid = any (array(
      select e.ctid from erased_outcomes e where e.day <= (select through from outcome_progress) limit ${limit}))`)
  return old + erased
}
