import type { Environment } from '@vidimus/contract'
import type { Db } from '../../engine/db/index.ts'
import { dayLiteral, sql } from '../../engine/db/sql.ts'

type TenantEnvironment = { tenant_id: string; environment: Environment }

/** The number of verifications that were created on a day and have all of these in common. */
export type OutcomeCount = {
  day: string
  outcome: 'completed' | 'failed' | 'declined' | 'expired' | 'pending'
  /** Empty if it did not fail. */
  error_code: string
  opened: boolean
  /** 0 if there was no response. */
  response_bucket: number
  verifications: number
}

type Split = { name: string; verifications: number }

export type OutcomeSums = {
  counts: OutcomeCount[]
  templates: Split[]
  devices: Split[]
}

/** Null: any template or device. */
export type OutcomeFilter = { template: string | null; device_id: string | null }

/** The most verifications that a request counts itself, newest first. The worker counts the others in advance. */
export const maxCounted = 20_000
const maxSplits = 100
/** How many days of figures are kept: the longest range, and a few more for a worker that is late. */
const keptDays = 92

export type Range = {
  today: string
  first: string
  /** The first day that was not counted as a whole. */
  uncounted_since: string
}

/** The last `days` days, and the first day that was not counted as a whole. */
export async function readRange(db: Db, days: number): Promise<Range> {
  const [row] = await db.query<Range>(sql`
    select service_day() as today, service_day() - ${days - 1}::integer as first, through + 1 as uncounted_since
    from outcome_progress`)
  if (row === undefined) throw new Error('outcome_progress has no row')
  return row
}

/**
 * The figures since a day, from one snapshot: what was counted in advance, the verifications that were not, and those that were erased
 * before they could be.
 */
export async function readOutcomes(
  db: Db,
  {
    tenant_id,
    environment,
    first,
    uncounted_since,
  }: TenantEnvironment & Pick<Range, 'first' | 'uncounted_since'>,
  { template, device_id }: OutcomeFilter,
): Promise<OutcomeSums & { scanned: number }> {
  const since = first > uncounted_since ? first : uncounted_since
  const owned = sql`tenant_id = ${tenant_id} and environment = ${environment}`
  const uncountedDay = sql`day >= ${dayLiteral(since)} and day > (select through from outcome_progress)`
  const countedColumns = sql`
    select day, by_template, by_device, template, device_id, outcome, error_code, opened, response_bucket, verifications`
  const [row] = await db.query<OutcomeSums & { scanned: number }>(sql`
    with recent as materialized (
      select day, template, device_id, outcome, error_code, opened, response_bucket
      from verification_outcomes
      where ${owned} and ${uncountedDay} and created_at >= ${countedBefore({ tenant_id, environment })}
      order by created_at desc
      limit ${maxCounted}
    ), single as materialized (
      select day, template, device_id, outcome, error_code, opened, response_bucket, count(*) as verifications
      from recent group by 1, 2, 3, 4, 5, 6, 7
      union all
      select day, template, device_id, outcome, error_code, opened, response_bucket, verifications
      from erased_outcomes where ${owned} and ${uncountedDay}
    ), counted as not materialized (
      ${countedColumns} from outcome_counts
      where ${owned} and day >= ${first}::date and day <= (select through from outcome_progress)
      union all
      ${countedColumns} from outcome_parts where ${owned} and ${uncountedDay}
    )
    select (select count(*) from recent) as scanned,
      (select coalesce(jsonb_agg(to_jsonb(c)), '[]') from (
        select day, outcome, error_code, opened, response_bucket, sum(verifications) as verifications from (
          select day, outcome, error_code, opened, response_bucket, verifications from single
          where (${template}::text is null or template = ${template}) and (${device_id}::uuid is null or device_id = ${device_id})
          union all
          select day, outcome, error_code, opened, response_bucket, verifications from counted
          where by_template = ${template !== null} and by_device = ${device_id !== null}
            and template = ${template ?? ''} and device_id = ${device_id ?? noDevice}
        ) each group by 1, 2, 3, 4, 5) c) as counts,
      (select coalesce(jsonb_agg(to_jsonb(t)), '[]') from (
        select name, sum(verifications) as verifications from (
          select template as name, verifications from single
          union all
          select template, verifications from counted where by_template and not by_device
        ) each group by 1 order by 2 desc, 1 limit ${maxSplits}) t) as templates,
      (select coalesce(jsonb_agg(to_jsonb(d)), '[]') from (
        select name, sum(verifications) as verifications from (
          select device_id as name, verifications from single
          union all
          select device_id, verifications from counted where by_device and not by_template
        ) each where name <> ${noDevice} group by 1 order by 2 desc, 1 limit ${maxSplits}) d) as devices`)
  return row ?? { counts: [], templates: [], devices: [], scanned: 0 }
}

const noDevice = '00000000-0000-0000-0000-000000000000'

function countedBefore({ tenant_id, environment }: TenantEnvironment) {
  return sql`coalesce((
    select counted_before from outcome_marks where tenant_id = ${tenant_id} and environment = ${environment}), '-infinity')`
}

/** Tenants with too many verifications today to count them for each reader, ordered by id. */
export async function readLargeTenants(
  db: Db,
  { after, limit, min_verifications }: { after: string; limit: number; min_verifications: number },
): Promise<string[]> {
  const rows = await db.query<{ tenant_id: string }>(sql`
    select tenant_id from tenant_usage
    where day = service_day() and used >= ${min_verifications} and tenant_id > ${after}
    order by tenant_id
    limit ${limit}`)
  return rows.map(({ tenant_id }) => tenant_id)
}

/** The most verifications that one transaction counts in advance. Until it ends, none of the tenant's can be erased. */
export const maxCountedAhead = 10_000

/**
 * Counts a tenant's oldest uncounted verifications, up to the first that may still change; none if there are fewer than `min_verifications`.
 * Returns how many it has read.
 */
export async function countEnded(
  tx: Db,
  { tenant_id, environment, min_verifications }: TenantEnvironment & { min_verifications: number },
): Promise<number> {
  await tx.query(sql`select pg_advisory_xact_lock(outcome_lock(${tenant_id}))`)
  const { uncounted_since } = await readRange(tx, 1)
  const [row] = await tx.query<{ read: number }>(sql`
    with uncounted as materialized (
      select * from verification_outcomes
      where tenant_id = ${tenant_id} and environment = ${environment} and day >= ${dayLiteral(uncounted_since)}
        and created_at >= ${countedBefore({ tenant_id, environment })}
      order by created_at
      limit ${maxCountedAhead}
    ), bound as materialized (
      select coalesce(
        min(created_at) filter (where final_at > service_now() - ${finalDelay}::interval),
        max(created_at) + interval '1 microsecond') as before
      from uncounted
    ), ended as materialized (
      select u.* from uncounted u, bound where u.created_at < bound.before
    ), counted as (
      insert into outcome_parts as part (
        tenant_id, environment, by_template, by_device, template, device_id, day, outcome, error_code, opened,
        response_bucket, verifications)
      select ${tenant_id}::uuid, ${environment}, grouping(template) = 0, grouping(device_id) = 0, coalesce(template, ''),
        coalesce(device_id, ${noDevice}::uuid), day, outcome, error_code, opened, response_bucket, count(*)
      from ended
      where (select count(*) from ended) >= ${min_verifications}
      group by day, outcome, error_code, opened, response_bucket, cube (template, device_id)
      on conflict on constraint outcome_parts_pkey do update set verifications = part.verifications + excluded.verifications
    ), marked as (
      insert into outcome_marks (tenant_id, environment, counted_before)
      select ${tenant_id}, ${environment}, before from bound where (select count(*) from ended) >= ${min_verifications}
      on conflict (tenant_id, environment) do update set counted_before = excluded.counted_before
    )
    select count(*) as read from ended`)
  return row?.read ?? 0
}

/** Longer than any transaction that was open when a verification ended, and than it takes to record a wallet's fetch. */
const finalDelay = '1 minute'

/**
 * The next day to count in advance: one whose last verification has ended, and whose last code can no longer be redeemed.
 * Undefined if there is none.
 */
export async function readNextDay(db: Db): Promise<string | undefined> {
  const [row] = await db.query<{ day: string }>(sql`
    select day from (select greatest(through + 1, service_day() - ${keptDays}::integer) as day from outcome_progress) next
    where day < ((service_now() - interval '2 hours') at time zone 'UTC')::date`)
  return row?.day
}

/** Tenants with verifications on a day, ordered by id. */
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

/** Counts a tenant's day in advance: in total, by template, by device, and by both. A day that was counted before stays as it is. */
export async function insertCounts(
  tx: Db,
  { tenant_id, day }: { tenant_id: string; day: string },
): Promise<void> {
  const ofDay = sql`tenant_id = ${tenant_id} and day = ${dayLiteral(day)}`
  await tx.execute(sql`
    insert into outcome_counts (
      tenant_id, environment, by_template, by_device, template, device_id, day, outcome, error_code, opened, response_bucket,
      verifications)
    select ${tenant_id}::uuid, environment, by_template, by_device, template, device_id, ${dayLiteral(day)}, outcome, error_code,
      opened, response_bucket, sum(verifications)
    from (
      select environment, grouping(template) = 0 as by_template, grouping(device_id) = 0 as by_device,
        coalesce(template, '') as template, coalesce(device_id, ${noDevice}::uuid) as device_id, outcome, error_code, opened,
        response_bucket, sum(verifications) as verifications
      from (
        select environment, template, device_id, outcome, error_code, opened, response_bucket, 1 as verifications
        from verification_outcomes s
        where ${ofDay} and not exists (
          select from outcome_marks m
          where m.tenant_id = s.tenant_id and m.environment = s.environment and s.created_at < m.counted_before)
        union all
        select environment, template, device_id, outcome, error_code, opened, response_bucket, verifications
        from erased_outcomes
        where ${ofDay}
      ) single
      group by environment, outcome, error_code, opened, response_bucket, cube (template, device_id)
      union all
      select environment, by_template, by_device, template, device_id, outcome, error_code, opened, response_bucket, verifications
      from outcome_parts
      where ${ofDay}
    ) counted
    group by 1, 2, 3, 4, 5, 6, 8, 9, 10, 11
    on conflict do nothing`)
}

/** False if it was marked before. */
export async function markCounted(tx: Db, day: string): Promise<boolean> {
  return (await tx.execute(sql`update outcome_progress set through = ${day} where through < ${day}`)) > 0
}

/** Deletes figures that are no longer shown, and the partial counts of days that were counted as a whole, up to `limit` of each. */
export async function deleteOldCounts(db: Db, limit: number): Promise<number> {
  const old = await db.execute(sql`
    delete from outcome_counts where ctid = any (array(
      select ctid from outcome_counts where day < service_day() - ${keptDays}::integer limit ${limit}))`)
  const erased = await db.execute(sql`
    delete from erased_outcomes where ctid = any (array(
      select e.ctid from erased_outcomes e where e.day <= (select through from outcome_progress) limit ${limit}))`)
  const parts = await db.execute(sql`
    delete from outcome_parts where ctid = any (array(
      select p.ctid from outcome_parts p where p.day <= (select through from outcome_progress) limit ${limit}))`)
  return Math.max(old, erased, parts)
}
