import type { Environment } from '@vidimus/contract'
import type { Db } from '../../engine/db/index.ts'
import { cachedDayLiteral, sql } from '../../engine/db/sql.ts'

type Idempotency = 'new' | 'replayed' | 'conflict'

/** A request to be written. */
export type NewRequestRow = {
  tenant_id: string
  environment: Environment
  request_id: string
  method: string
  route: string
  status: number
  error_code: string | null
  warning: string | null
  duration_us: number
  idempotency: Idempotency | null
  key_id: string | null
  device_id: string | null
  member_id: string | null
  verification: { day: string; id: string; hash: Buffer } | null
  omitted: number
}

/** Writes requests, each with the time since it ended. Those of tenants that want no log are left out. */
export async function insertRequests(
  db: Db,
  rows: readonly { row: NewRequestRow; age_ms: number }[],
): Promise<void> {
  const column = <Value>(pick: (row: NewRequestRow) => Value): Value[] => rows.map(({ row }) => pick(row))
  await db.query(sql`
    select insert_request_log(
      ${rows.map(({ age_ms }) => age_ms)}::float8[], ${column((row) => row.tenant_id)}::uuid[],
      ${column((row) => row.environment)}::text[], ${column((row) => row.request_id)}::text[],
      ${column((row) => row.method)}::text[], ${column((row) => row.route)}::text[],
      ${column((row) => row.status)}::smallint[], ${column((row) => row.error_code)}::text[],
      ${column((row) => row.duration_us)}::integer[], ${column((row) => row.idempotency)}::text[],
      ${column((row) => row.key_id)}::uuid[], ${column((row) => row.device_id)}::uuid[],
      ${column((row) => row.member_id)}::uuid[],
      ${column((row) => row.verification?.day ?? null)}::date[], ${column((row) => row.verification?.id ?? null)}::text[],
      ${column((row) => row.verification?.hash ?? null)}::bytea[], ${column((row) => row.omitted)}::integer[],
      ${column((row) => row.warning)}::text[])`)
}

export type LoggedRequestRow = Omit<NewRequestRow, 'verification' | 'tenant_id' | 'environment'> & {
  id: string
  at: string
}

export type LogOwner = { tenant_id: string; environment: Environment }

/** Conditions on requests. Absent: any. */
export type RequestFilter = {
  status_class: number | null
  route: string | null
  key_id: string | null
  device_id: string | null
  error_code: string | null
  after: string
}

/** Where a page begins: before the request with this time and id. */
export type LogPosition = { at: string; id: string }

const columns = sql`
  l.id::text as id, l.at, l.request_id, l.method, l.route, l.status, l.error_code, l.warning, l.duration_us, l.idempotency, l.key_id,
  l.device_id, l.member_id, l.omitted`

/** How many requests one statement scans. Written into its text, so that the planner knows it. */
export const scanRows = 2000
const scanLimit = sql`2000`

export type ScannedRequests = {
  rows: LoggedRequestRow[]
  seen: number
  /** Of all that were scanned: requests that are not in the log. */
  omitted: number
  last: LogPosition | undefined
}

/** Those of a day's next requests that pass a filter, newest first, at most `limit`. */
export async function scanRequests(
  db: Db,
  { day, before, limit, ...owner }: LogOwner & { day: string; before: LogPosition; limit: number },
  filter: RequestFilter,
): Promise<ScannedRequests> {
  type Counted = { seen: number; omitted_seen: number | null; last_at: string | null; last_id: string | null }
  const found = await db.query<LoggedRequestRow & Counted>(sql`
    with scanned as materialized (
      select * from request_log l
      where l.day = ${cachedDayLiteral(day)} and l.tenant_id = ${owner.tenant_id} and l.environment = ${owner.environment}
        and (l.at, l.id) < (${before.at}::timestamptz, ${before.id}::bigint) and l.at > ${filter.after}
      order by l.at desc, l.id desc
      limit ${scanLimit}
    )
    select counted.seen, counted.omitted_seen, last.at as last_at, last.id::text as last_id, page.*
    from (select count(*) as seen, sum(omitted)::integer as omitted_seen from scanned) counted
    left join (select at, id from scanned order by at, id limit 1) last on true
    left join (
      select ${columns} from scanned l
      where (${filter.status_class}::integer is null or l.status / 100 = ${filter.status_class})
        and (${filter.route}::text is null or position(lower(${filter.route}) in lower(l.method || ' ' || l.route)) > 0)
        and (${filter.error_code}::text is null or position(lower(${filter.error_code}) in lower(l.error_code)) > 0)
        and (${filter.key_id}::uuid is null or l.key_id = ${filter.key_id})
        and (${filter.device_id}::uuid is null or l.device_id = ${filter.device_id})
      order by l.at desc, l.id desc
      limit ${limit}
    ) page on true
    order by page.at desc, page.id::bigint desc`)
  const [first] = found
  return {
    // Without a request that passes, the only row has the counts.
    rows: found.filter(({ id }) => (id as string | null) !== null),
    seen: first?.seen ?? 0,
    omitted: first?.omitted_seen ?? 0,
    last:
      first === undefined || first.last_at === null || first.last_id === null
        ? undefined
        : { at: first.last_at, id: first.last_id },
  }
}

/** A tenant's requests with this id. A caller may choose the id and use it more than once. */
export async function findRequests(
  db: Db,
  { tenant_id, environment, request_id, since }: LogOwner & { request_id: string; since: string },
): Promise<LoggedRequestRow[]> {
  return db.query<LoggedRequestRow>(sql`
    select ${columns} from request_log l
    where l.day >= ${since}::text::date and l.tenant_id = ${tenant_id} and l.request_id = ${request_id}
      and l.environment = ${environment}
    order by l.at desc, l.id desc
    limit 100`)
}

/** A tenant's requests about one verification, newest first. */
export async function findVerificationRequests(
  db: Db,
  {
    tenant_id,
    environment,
    verification_hash,
    since,
  }: LogOwner & { verification_hash: Buffer; since: string },
): Promise<LoggedRequestRow[]> {
  return db.query<LoggedRequestRow>(sql`
    select ${columns} from request_log l
    where l.day >= ${since}::text::date and l.verification_hash = ${verification_hash} and l.tenant_id = ${tenant_id}
      and l.environment = ${environment}
    order by l.at desc, l.id desc
    limit 100`)
}

export async function readLogDays(
  db: Db,
  days: number,
): Promise<{ today: string; first: string; after: string }> {
  const [row] = await db.query<{ today: string; first: string; after: string }>(sql`
    select service_day() as today, service_day() - ${days}::integer as first,
      service_now() - make_interval(days => ${days}::integer) as after`)
  if (row === undefined) throw new Error('A query without a table returned no row.')
  return row
}

export async function isLogOff(db: Db, tenant_id: string): Promise<boolean> {
  const rows = await db.query(sql`select tenant_id from request_log_off where tenant_id = ${tenant_id}`)
  return rows.length > 0
}

/** False if the setting was the same before. */
export async function updateLogOff(tx: Db, tenant_id: string, off: boolean): Promise<boolean> {
  const changed = off
    ? await tx.execute(
        sql`insert into request_log_off (tenant_id) values (${tenant_id}) on conflict do nothing`,
      )
    : await tx.execute(sql`delete from request_log_off where tenant_id = ${tenant_id}`)
  return changed === 1
}
