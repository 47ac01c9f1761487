import type { Environment, SessionStatus } from '@vidimus/contract'
import type { Db } from '../../platform/db/open.ts'
import { dayLiteral, sql } from '../../platform/db/sql.ts'

type TenantEnvironment = { tenant_id: string; environment: Environment }

/** A session as the dashboard lists it. Its result is not even read. */
export type ListedVerificationRow = {
  id: string
  status: SessionStatus
  template: string | null
  error_code: string | null
  device_id: string | null
  created_at: string
  expires_at: string
  responded_at: string | null
}

export type VerificationFilter = {
  after: string | null
  status: SessionStatus | null
  template: string | null
  error_code: string | null
  device_id: string | null
}

const withheld = sql`(s.held and s.redeemed_at is null)`
const shownStatus = sql`shown_status(s.status, ${withheld}, s.expires_at, s.responded_at)`
const shownError = sql`case when not ${withheld} then s.error end`
const listedColumns = sql`
  s.id, ${shownStatus} as status, s.template, ${shownError} ->> 'code' as error_code, s.device_id, s.created_at,
  s.expires_at, case when not ${withheld} then s.responded_at end as responded_at`

/**
 * Scans the newest sessions of one day before a given time, at most `limit` of them, and returns those that pass the filter.
 * `seen` is how many were scanned, and `last_at` when the last of them was created, so that the next scan continues there.
 */
export async function filterDay(
  db: Db,
  { day, before, limit, ...where }: TenantEnvironment & { day: string; before: string | null; limit: number },
  filter: VerificationFilter,
): Promise<{ rows: ListedVerificationRow[]; seen: number; last_at: string | null }> {
  const found = await db.query<
    ListedVerificationRow & { passes: boolean; seen: number; last_at: string }
  >(sql`
    with scanned as (
      select ${listedColumns}
      from verification_sessions s
      where s.day = ${dayLiteral(day)} and s.tenant_id = ${where.tenant_id} and s.environment = ${where.environment}
        and (${before}::timestamptz is null or s.created_at < ${before})
        and (${filter.after}::timestamptz is null or s.created_at > ${filter.after})
      order by s.created_at desc
      limit ${limit}
    ), counted as (select count(*) as seen, min(created_at) as last_at from scanned)
    select scanned.*, counted.seen, counted.last_at,
      (${filter.status}::text is null or status = ${filter.status})
        and (${filter.template}::text is null or template = ${filter.template})
        and (${filter.error_code}::text is null or error_code = ${filter.error_code})
        and (${filter.device_id}::uuid is null or device_id = ${filter.device_id}) as passes
    from scanned, counted
    order by created_at desc`)
  return {
    rows: found.filter(({ passes }) => passes),
    seen: found[0]?.seen ?? 0,
    last_at: found[0]?.last_at ?? null,
  }
}

/** Whether one of a day's newest sessions was completed. */
export async function hasCompleted(
  db: Db,
  { tenant_id, environment, day }: TenantEnvironment & { day: string },
): Promise<boolean> {
  const [row] = await db.query<{ completed: boolean | null }>(sql`
    select bool_or(status = 'completed') as completed
    from (
      select ${shownStatus} as status from verification_sessions s
      where s.day = ${dayLiteral(day)} and s.tenant_id = ${tenant_id} and s.environment = ${environment}
      order by s.created_at desc
      limit 1000) newest`)
  return row?.completed === true
}

export type DetailRow = {
  webhook_url: string | null
  device_id: string | null
  fetches: number
  first_fetched_at: string | null
  dc_error_at: string | null
  redeemed_at: string | null
  withheld: boolean
  purge_day: string | null
  template_version: Buffer | null
  query: Record<string, unknown> | null
  results: number
  deliveries: number
}

/** What the dashboard shows of a session in addition to what the API returns. */
export async function findDetail(
  db: Db,
  { day, id, tenant_id, environment }: TenantEnvironment & { day: string; id: string },
): Promise<DetailRow | undefined> {
  const [row] = await db.query<DetailRow>(sql`
    select s.webhook_url, s.device_id, s.fetches, s.first_fetched_at, s.dc_error_at, s.redeemed_at,
      ${withheld} as withheld, case when not ${withheld} then s.purge_day end as purge_day, s.template_version, s.query,
      (select count(*) from verification_results r
        where not ${withheld} and r.purge_day = s.purge_day and r.session_id = s.id
          and r.purge_day > service_day()) as results,
      (select count(*) from webhook_deliveries d where d.session_day = s.day and d.session_id = s.id) as deliveries
    from verification_sessions s
    where s.day = ${dayLiteral(day)} and s.id = ${id} and s.tenant_id = ${tenant_id} and s.environment = ${environment}`)
  return row
}
