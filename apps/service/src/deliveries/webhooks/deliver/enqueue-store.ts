import type { Db } from '../../../engine/db/index.ts'
import { type Sql, sql } from '../../../engine/db/sql.ts'
import type { SessionOutcome } from '../event.ts'

/** Adds an event for a session's own URL. */
export async function insertEvent(
  tx: Db,
  outcome: SessionOutcome,
  { url, host }: { url: string; host: string },
): Promise<void> {
  await insertFor(tx, outcome, sql`select '' as id, ${url}::text as url, ${host}::text as host`)
}

/** Adds an event for every enabled endpoint that asks for it, and removes expiries that were queued for others. */
export async function insertEndpointEvents(tx: Db, outcome: SessionOutcome): Promise<boolean> {
  const { session_id, tenant_id, environment, event_type } = outcome
  const wanted = sql`
    select id, url, host from webhook_endpoints
    where tenant_id = ${tenant_id} and environment = ${environment} and enabled and ${event_type} = any(events)
    limit 100`
  const inserted = await insertFor(tx, outcome, wanted)
  await tx.execute(sql`
    delete from webhook_events
    where session_id = ${session_id} and event_type = 'verification.expired' and ${event_type} <> 'verification.expired'
      and lease is null`)
  return inserted > 0
}

export async function insertEndpointEvent(
  tx: Db,
  outcome: SessionOutcome,
  endpoint_id: string,
): Promise<boolean> {
  const { tenant_id, environment } = outcome
  const chosen = sql`
    select id, url, host from webhook_endpoints
    where tenant_id = ${tenant_id} and environment = ${environment} and id = ${endpoint_id} and enabled`
  return (await insertFor(tx, outcome, chosen)) > 0
}

/** An event that is queued and not claimed is replaced and becomes due at once. Counts it too. */
async function insertFor(
  tx: Db,
  { session_id, session_day, ...outcome }: SessionOutcome,
  receivers: Sql,
): Promise<number> {
  return tx.execute(sql`
    insert into webhook_events
      (session_id, endpoint_id, session_day, tenant_id, environment, url, host, forget_on_delivery, event_type, attempt)
    select ${session_id}, receiver.id, ${session_day}::date, ${outcome.tenant_id}::uuid, ${outcome.environment}, receiver.url,
      receiver.host, ${outcome.forget_on_delivery}::boolean, ${outcome.event_type},
      coalesce((
        select max(attempt) from webhook_deliveries
        where session_day = ${session_day}::date and session_id = ${session_id} and endpoint_id = receiver.id), 0)
    from (${receivers}) receiver
    on conflict (session_id, endpoint_id) do update
    set ready = webhook_events.lease is null, event_type = excluded.event_type,
      due_at = case when webhook_events.lease is null then service_now() else webhook_events.due_at end`)
}
