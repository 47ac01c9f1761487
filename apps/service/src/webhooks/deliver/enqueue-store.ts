import type { Db } from '../../platform/db/open.ts'
import { sql, type Sql } from '../../platform/db/sql.ts'
import type { SessionOutcome, WebhookEvent } from '../event.ts'

export type InsertEvent = Omit<WebhookEvent, 'endpoint_id'> &
  Partial<Pick<SessionOutcome, 'event_type'>> & { host: string }

/** Adds an event for a session's own URL. One that is already queued and not claimed becomes due at once. */
export async function insertEvent(tx: Db, { session_id, ...event }: InsertEvent): Promise<void> {
  await tx.execute(sql`
    insert into webhook_queue
      (session_id, session_day, tenant_id, environment, url, host, forget_on_delivery, event_type, attempt)
    values (${session_id}, ${event.session_day}, ${event.tenant_id}, ${event.environment}, ${event.url}, ${event.host},
      ${event.forget_on_delivery}, ${event.event_type ?? null},
      coalesce((
        select max(attempt) from webhook_deliveries
        where session_day = ${event.session_day} and session_id = ${session_id}), 0))
    on conflict (session_id) do update set ready = true, due_at = service_now()
    where webhook_queue.lease is null`)
}

/**
 * Adds an event for every enabled endpoint that asks for it, and removes expiries that were queued for others. One that is queued
 * and not claimed is replaced.
 */
export async function insertEndpointEvents(tx: Db, outcome: SessionOutcome): Promise<boolean> {
  const inserted = await tx.execute(sql`
    with wanted as materialized (
      select id, url, host from webhook_endpoints
      where tenant_id = ${outcome.tenant_id} and environment = ${outcome.environment} and enabled
        and ${outcome.event_type} = any(events)
      limit 100
    ), unwanted as (
      delete from webhook_endpoint_queue
      where session_id = ${outcome.session_id} and event_type = 'verification.expired' and lease is null
        and endpoint_id not in (select id from wanted)
    )
    ${insertFor(outcome, sql`wanted`)}`)
  return inserted > 0
}

export async function insertEndpointEvent(
  tx: Db,
  outcome: SessionOutcome,
  endpoint_id: string,
): Promise<boolean> {
  const inserted = await tx.execute(sql`
    with chosen as materialized (
      select id, url, host from webhook_endpoints
      where tenant_id = ${outcome.tenant_id} and environment = ${outcome.environment} and id = ${endpoint_id} and enabled
    )
    ${insertFor(outcome, sql`chosen`)}`)
  return inserted > 0
}

/** Counts also what was queued and is only made due. */
function insertFor({ session_id, session_day, ...outcome }: SessionOutcome, endpoints: Sql): Sql {
  return sql`
    insert into webhook_endpoint_queue
      (session_id, endpoint_id, session_day, tenant_id, environment, url, host, forget_on_delivery, event_type, attempt)
    select ${session_id}, endpoint.id, ${session_day}::date, ${outcome.tenant_id}::uuid, ${outcome.environment}, endpoint.url,
      endpoint.host, ${outcome.forget_on_delivery}::boolean, ${outcome.event_type},
      coalesce((
        select max(attempt) from webhook_endpoint_deliveries
        where session_day = ${session_day}::date and session_id = ${session_id} and endpoint_id = endpoint.id), 0)
    from ${endpoints} endpoint
    on conflict (session_id, endpoint_id) do update
    set ready = webhook_endpoint_queue.lease is null, event_type = excluded.event_type,
      due_at = case when webhook_endpoint_queue.lease is null then service_now() else webhook_endpoint_queue.due_at end`
}
