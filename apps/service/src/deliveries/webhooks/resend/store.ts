import type { Environment } from '@vidimus/contract'
import type { Db } from '../../../engine/db/index.ts'
import { sql } from '../../../engine/db/sql.ts'

type ResendOwner = { tenant_id: string; environment: Environment }

export type ResendRow = ResendOwner & {
  id: string
  /** Null: all receivers. Empty: the verifications' own URLs. */
  endpoint_id: string | null
  since: string
  requested_at: string
  /** The time and the key of the last attempt that was looked at. */
  reached_at: string
  reached_id: string
  queued: number
  finished_at: string | null
}

const columns = sql`id, tenant_id, environment, endpoint_id, since, requested_at, reached_at, reached_id, queued, finished_at`

/** Undefined if one is still open. */
export async function insertResend(
  tx: Db,
  { tenant_id, environment, endpoint_id, since }: ResendOwner & { endpoint_id: string | null; since: string },
): Promise<ResendRow | undefined> {
  const [row] = await tx.query<ResendRow>(sql`
    insert into webhook_resends (tenant_id, environment, endpoint_id, since, reached_at)
    values (${tenant_id}, ${environment}, ${endpoint_id}, ${since}, ${since})
    on conflict (tenant_id, environment) where finished_at is null do nothing
    returning ${columns}`)
  return row
}

export async function readLatestResend(
  db: Db,
  { tenant_id, environment }: ResendOwner,
): Promise<ResendRow | undefined> {
  const [row] = await db.query<ResendRow>(sql`
    select ${columns} from webhook_resends
    where tenant_id = ${tenant_id} and environment = ${environment}
    order by requested_at desc
    limit 1`)
  return row
}

/** An open request that no other worker is advancing, and that this one has not advanced yet. */
export async function lockOpenResend(tx: Db, except: readonly string[]): Promise<ResendRow | undefined> {
  const [row] = await tx.query<ResendRow>(sql`
    select ${columns} from webhook_resends
    where finished_at is null and id <> all(${except}::uuid[])
    order by requested_at
    limit 1
    for update skip locked`)
  return row
}

export type FailedEvent = ResendOwner & { id: string; endpoint_id: string; attempted_at: string; key: string }

/** Attempts after the last that was looked at that were the last of their event and failed, oldest first. */
export async function findFailedEvents(
  tx: Db,
  { tenant_id, environment, endpoint_id, reached_at, reached_id, requested_at }: ResendRow,
  limit: number,
): Promise<FailedEvent[]> {
  return tx.query<FailedEvent>(sql`
    select attempt.tenant_id, attempt.environment, attempt.verification_id as id, attempt.endpoint_id, attempt.attempted_at,
      attempt.verification_id || ' ' || attempt.endpoint_id as key
    from webhook_deliveries attempt
    where attempt.tenant_id = ${tenant_id} and attempt.environment = ${environment} and attempt.outcome not in ('delivered', 'unknown')
      and attempt.attempted_at >= ${reached_at} and attempt.attempted_at <= ${requested_at}
      and (attempt.attempted_at, attempt.verification_id || ' ' || attempt.endpoint_id) > (${reached_at}::timestamptz, ${reached_id})
      and (${endpoint_id}::text is null or attempt.endpoint_id = ${endpoint_id})
      and not exists (
        select from webhook_deliveries later
        where later.verification_day = attempt.verification_day and later.verification_id = attempt.verification_id
          and later.endpoint_id = attempt.endpoint_id and later.attempt > attempt.attempt)
      and not exists (
        select from webhook_events queue
        where queue.verification_id = attempt.verification_id and queue.endpoint_id = attempt.endpoint_id)
    order by attempt.attempted_at, key
    limit ${limit}`)
}

type ResendProgress = Pick<ResendRow, 'id' | 'reached_at' | 'reached_id' | 'queued'> & { isFinished: boolean }

export async function updateResend(
  tx: Db,
  { id, reached_at, reached_id, queued, isFinished }: ResendProgress,
): Promise<void> {
  await tx.execute(sql`
    update webhook_resends
    set reached_at = ${reached_at}, reached_id = ${reached_id}, queued = queued + ${queued}::integer,
      finished_at = case when ${isFinished}::boolean then service_now() end
    where id = ${id}`)
}

/** Requests that finished long ago; the newest of a tenant and environment stays visible for as long. */
export async function deleteOldResends(
  db: Db,
  { older_than_days }: { older_than_days: number },
): Promise<void> {
  await db.execute(sql`
    delete from webhook_resends where id in (
      select id from webhook_resends
      where finished_at < service_now() - make_interval(days => ${older_than_days}::integer)
      limit 1000)`)
}
