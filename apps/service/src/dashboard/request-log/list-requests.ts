import type { FilterRequests, LoggedRequest, RequestPage } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { hashLoggedVerification } from '../../engine/keyring/index.ts'
import { getRecording } from './record.ts'
import {
  findRequests,
  findVerificationRequests,
  readLogDays,
  scanRequests,
  scanRows,
  type LoggedRequestRow,
  type LogOwner,
  type LogPosition,
} from './store.ts'

/** How many days of requests are shown. */
export const logDays = 7
/** A page scans at most this many requests. */
export const maxRequestsScanned = 20_000

/** The requests of a tenant's keys and devices in one environment that pass a filter, newest first. */
export async function listRequests(
  ctx: Pick<Context, 'config' | 'db' | 'keyring'>,
  owner: LogOwner,
  query: FilterRequests,
): Promise<RequestPage> {
  const { request_id, verification_id } = query
  const recording = await getRecording(ctx, owner.tenant_id)
  if (request_id === undefined && verification_id === undefined)
    return { ...(await scanLog(ctx, owner, query)), recording }
  const { first: since } = await readLogDays(ctx.db, logDays)
  const rows =
    verification_id === undefined
      ? await findRequests(ctx.db, { ...owner, request_id: request_id ?? '', since })
      : await findVerificationRequests(ctx.db, {
          ...owner,
          verification_hash: hashLoggedVerification(ctx.keyring, verification_id),
          since,
        })
  return { data: rows.map(viewRequest), omitted: 0, recording }
}

async function scanLog(
  { db }: Pick<Context, 'db'>,
  owner: LogOwner,
  query: FilterRequests,
): Promise<Omit<RequestPage, 'recording'>> {
  const period = await readLogDays(db, logDays)
  const filter = {
    status_class: query.status === undefined ? null : Number(query.status[0]),
    route: query.route ?? null,
    error_code: query.error_code ?? null,
    key_id: query.key_id ?? null,
    device_id: query.device_id ?? null,
    after: query.from ?? period.after,
  }
  const rows: LoggedRequestRow[] = []
  let before = startOf(query)
  let scanned = 0
  let omitted = 0
  const page = (next?: LogPosition) => ({
    data: rows.map(viewRequest),
    ...(next !== undefined && { next_before: `${next.at}_${next.id}` }),
    omitted,
  })
  for (const day of daysBack(period, filter.after, before)) {
    for (;;) {
      const limit = query.limit - rows.length
      const found = await scanRequests(db, { ...owner, day, before, limit }, filter)
      rows.push(...found.rows)
      const last = rows.at(-1)
      if (rows.length === query.limit && last !== undefined) {
        omitted += sumOmitted(found.rows)
        return page(last)
      }
      omitted += found.omitted
      before = found.last ?? before
      scanned += found.seen
      if (found.seen < scanRows) break
      if (scanned >= maxRequestsScanned) return page(before)
    }
  }
  return page()
}

const newest: LogPosition = { at: 'infinity', id: '0' }

function startOf({ before, to }: FilterRequests): LogPosition {
  if (before === undefined) return to === undefined ? newest : { at: to, id: '0' }
  const [at = '', id = ''] = before.split('_')
  return { at, id }
}

/** The days that a page may have requests from, newest first. */
function daysBack(period: { today: string; first: string }, after: string, { at }: LogPosition): string[] {
  const day_ms = 86_400_000
  const from = [period.first, after.slice(0, 10)].toSorted().at(-1) ?? period.first
  const to = at === newest.at || at.slice(0, 10) > period.today ? period.today : at.slice(0, 10)
  const days: string[] = []
  for (let time = Date.parse(to); time >= Date.parse(from); time -= day_ms)
    days.push(new Date(time).toISOString().slice(0, 10))
  return days
}

function sumOmitted(rows: readonly LoggedRequestRow[]): number {
  return rows.reduce((sum, { omitted }) => sum + omitted, 0)
}

function viewRequest(row: LoggedRequestRow): LoggedRequest {
  return {
    id: row.id,
    at: row.at,
    request_id: row.request_id,
    method: row.method,
    route: row.route,
    status: row.status,
    ...(row.error_code !== null && { error_code: row.error_code }),
    ...(row.warning !== null && { warning: row.warning }),
    duration_ms: row.duration_us / 1000,
    ...(row.idempotency !== null && { idempotency: row.idempotency }),
    ...(row.key_id !== null && { key_id: row.key_id }),
    ...(row.device_id !== null && { device_id: row.device_id }),
    ...(row.member_id !== null && { member_id: row.member_id }),
  }
}
