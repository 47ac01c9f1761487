import type { Environment, StatusName } from '@vidimus/contract'
import type { Db } from '../../engine/db/index.ts'
import { type Sql, dayLiteral, sql } from '../../engine/db/sql.ts'

type TenantEnvironment = { tenant_id: string; environment: Environment }

/** A verification as the dashboard lists it. Its result is not even read. */
export type ListedVerificationRow = {
  id: string
  status: StatusName
  template: string | null
  error_code: string | null
  device_id: string | null
  created_at: string
  expires_at: string
  responded_at: string | null
  metadata: Record<string, string> | null
  purpose: string | null
}

export type VerificationFilter = {
  status: StatusName | null
  template: string | null
  error_code: string | null
  device_id: string | null
  id_start: string | null
}

const withheld = sql`(s.held and s.redeemed_at is null)`
const shownStatus = sql`shown_status(s.status, ${withheld}, s.expires_at, s.responded_at)`
const shownError = sql`case when not ${withheld} then s.error end`
const listedColumns = sql`
  s.id, ${shownStatus} as status, s.template, ${shownError} ->> 'code' as error_code, s.device_id, s.created_at,
  s.expires_at, case when not ${withheld} then s.responded_at end as responded_at, s.metadata, s.purpose`

/**
 * Of the next verifications of a day, those that pass the filter. `scanned` selects them as `s`, and `hasMetadata` is the condition on
 * their metadata. Texts match a part, whatever their case.
 */
export async function filterDay(
  db: Db,
  { scanned, hasMetadata, limit }: { scanned: Sql; hasMetadata: Sql; limit: number },
  filter: VerificationFilter,
): Promise<{ rows: ListedVerificationRow[]; seen: number; last_at: string | null }> {
  const found = await db.query<ListedVerificationRow & { seen: number; last_at: string | null }>(sql`
    with scanned as materialized (
      select ${listedColumns}, ${hasMetadata} as has_metadata
      from (${scanned}) s
    )
    select counted.seen, counted.last_at, page.*
    from (select count(*) as seen, min(created_at) as last_at from scanned) counted
    left join (
      select id, status, template, error_code, device_id, created_at, expires_at, responded_at, metadata, purpose
      from scanned
      where has_metadata
        and (${filter.status}::text is null or status = ${filter.status})
        and (${filter.template}::text is null or position(lower(${filter.template}) in lower(template)) > 0)
        and (${filter.error_code}::text is null or position(lower(${filter.error_code}) in lower(error_code)) > 0)
        and (${filter.device_id}::uuid is null or device_id = ${filter.device_id})
        and (${filter.id_start}::text is null or starts_with(id, ${filter.id_start}))
      order by created_at desc
      limit ${limit}
    ) page on true
    order by page.created_at desc`)
  return {
    // Without a verification that passes, the only row has the counts.
    rows: found.filter(({ id }) => (id as string | null) !== null),
    seen: found[0]?.seen ?? 0,
    last_at: found[0]?.last_at ?? null,
  }
}

/** Whether one of a day's newest verifications was completed. */
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
  channel: 'proximity' | null
  fetches: number
  first_fetched_at: string | null
  dc_error_at: string | null
  unreadable_responses: number
  unreadable_at: string | null
  attempts: number
  attempted_at: string | null
  attempt_code: string | null
  cancelled_by: 'merchant' | 'device' | 'holder' | 'link' | 'operator' | null
  link_id: string | null
  same_person: boolean | null
  compared_at: string | null
  redeemed_at: string | null
  warnings: string[] | null
  withheld: boolean
  purge_day: string | null
  template_version: Buffer | null
  query: Record<string, unknown> | null
  certificate: Buffer
  results: number
  deliveries: number
}

/** What the dashboard shows of a verification in addition to what the API returns. */
export async function findDetail(
  db: Db,
  { day, id, tenant_id, environment }: TenantEnvironment & { day: string; id: string },
): Promise<DetailRow | undefined> {
  const [row] = await db.query<DetailRow>(sql`
    select s.webhook_url, s.device_id, s.channel, s.fetches, s.first_fetched_at, s.dc_error_at,
      coalesce(s.unreadable_responses, 0) as unreadable_responses,
      s.unreadable_at, s.redeemed_at, coalesce(s.attempts, 0) as attempts, s.attempted_at, s.attempt_code, s.cancelled_by, s.link_id,
      s.same_person, s.compared_at, s.warnings,
      ${withheld} as withheld, case when not ${withheld} then s.purge_day end as purge_day, s.template_version, s.query, s.certificate,
      (select count(*) from verification_results r
        where not ${withheld} and r.purge_day = s.purge_day and r.verification_id = s.id
          and r.purge_day > service_day()) as results,
      (select count(*) from webhook_deliveries d where d.verification_day = s.day and d.verification_id = s.id) as deliveries
    from verification_sessions s
    where s.day = ${dayLiteral(day)} and s.id = ${id}
      and (s.tenant_id = ${tenant_id} and s.environment = ${environment}) is true`)
  return row
}
