import type { Alert } from '@vidimus/contract'
import type { Db } from '../../platform/db/open.ts'
import { sql } from '../../platform/db/sql.ts'
import { nilUuid } from '../../platform/db/nil-uuid.ts'

export type AlertWebhookRow = {
  url: string
  created_at: string
  /** When the previous secret stops signing. */
  previous_retires_at: string | null
  last_attempt_at: string | null
  last_outcome: string | null
  waiting: number
}

export async function findAlertWebhook(db: Db, tenant_id: string): Promise<AlertWebhookRow | undefined> {
  const [row] = await db.query<AlertWebhookRow>(sql`
    select url, created_at, last_attempt_at, last_outcome,
      case when previous_retires_at > service_now() then previous_retires_at end as previous_retires_at,
      (select count(*) from alert_webhook_queue q where q.tenant_id = ${tenant_id}) as waiting
    from alert_webhooks
    where tenant_id = ${tenant_id}`)
  return row
}

/** Creates the webhook with a secret, or changes its URL and keeps the secret. Returns whether it was created. */
export async function putAlertWebhook(
  tx: Db,
  { tenant_id, url, sealed }: { tenant_id: string; url: string; sealed: Buffer },
): Promise<boolean> {
  const [row] = await tx.query<{ created: boolean }>(sql`
    insert into alert_webhooks (tenant_id, url, sealed, created_at)
    select id, ${url}, ${sealed}, service_now() from tenants where id = ${tenant_id}
    on conflict (tenant_id) do update set url = excluded.url, last_attempt_at = null, last_outcome = null
    returning sealed = ${sealed} as created`)
  if (row === undefined) throw new Error('The tenant does not exist.')
  return row.created
}

/** The previous secret keeps signing for a day. False if the tenant has no alert webhook. */
export async function replaceAlertSecret(
  tx: Db,
  { tenant_id, sealed }: { tenant_id: string; sealed: Buffer },
): Promise<boolean> {
  const replaced = await tx.execute(sql`
    update alert_webhooks
    set previous_sealed = sealed, previous_retires_at = service_now() + interval '24 hours', sealed = ${sealed}
    where tenant_id = ${tenant_id}`)
  return replaced === 1
}

/** Its queue is deleted with it. */
export async function deleteAlertWebhook(tx: Db, tenant_id: string): Promise<boolean> {
  return (await tx.execute(sql`delete from alert_webhooks where tenant_id = ${tenant_id}`)) === 1
}

export type QueuedAlert = { event_id: string; payload: { type: string; alert: Alert } }

/** Queues events if the tenant has an alert webhook, as many as its queue takes. Returns how many. */
export async function insertQueued(
  tx: Db,
  {
    tenant_id,
    events,
    max_waiting,
  }: { tenant_id: string; events: readonly QueuedAlert[]; max_waiting: number },
): Promise<number> {
  return tx.execute(sql`
    insert into alert_webhook_queue (tenant_id, event_id, payload, due_at)
    select w.tenant_id, e.event_id, e.payload, service_now()
    from alert_webhooks w, jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as e (event_id text, payload jsonb)
    where w.tenant_id = ${tenant_id}
      and (select count(*) from alert_webhook_queue q where q.tenant_id = ${tenant_id}) < ${max_waiting}::integer`)
}

export type ClaimedAlert = QueuedAlert & {
  id: number
  tenant_id: string
  attempts: number
  url: string
  sealed: Buffer
  previous_sealed: Buffer | null
  now: string
}

/**
 * Claims the oldest due event of each tenant, so that one slow receiver does not delay the others. If the process is killed, it
 * becomes due again when the lease ends.
 */
export async function claimQueued(
  db: Db,
  { limit, lease_seconds }: { limit: number; lease_seconds: number },
): Promise<ClaimedAlert[]> {
  return db.query<ClaimedAlert>(sql`
    update alert_webhook_queue q
    set attempts = q.attempts + 1, due_at = service_now() + make_interval(secs => ${lease_seconds}::integer)
    from (
      select distinct on (tenant_id) id, tenant_id from (
        select id, tenant_id, due_at from alert_webhook_queue
        where due_at <= service_now()
        order by due_at
        limit 1000
      ) due
      order by tenant_id, due_at, id
      limit ${limit}
    ) chosen
    join alert_webhooks w on w.tenant_id = chosen.tenant_id
    where q.id = chosen.id and q.due_at <= service_now()
    returning q.id, q.tenant_id, q.event_id, q.payload, q.attempts, w.url, w.sealed,
      case when w.previous_retires_at > service_now() then w.previous_sealed end as previous_sealed, service_now() as now`)
}

/** Records an attempt, unless another process has claimed the event meanwhile. Without a delay it was the last one. */
export async function recordAttempt(
  db: Db,
  { id, tenant_id, attempts }: Pick<ClaimedAlert, 'id' | 'tenant_id' | 'attempts'>,
  { outcome, delay_seconds }: { outcome: string; delay_seconds: number | undefined },
): Promise<void> {
  await db.execute(sql`
    with shown as (
      update alert_webhooks set last_attempt_at = service_now(), last_outcome = ${outcome} where tenant_id = ${tenant_id}
    ), postponed as (
      update alert_webhook_queue set due_at = service_now() + make_interval(secs => ${delay_seconds ?? 0}::float8)
      where id = ${id} and attempts = ${attempts}::integer and ${delay_seconds !== undefined}::boolean
    )
    delete from alert_webhook_queue
    where id = ${id} and attempts = ${attempts}::integer and not ${delay_seconds !== undefined}::boolean`)
}

export type AlertWebhookKey = { tenant_id: string; url: string; sealed: Buffer }

/** The alert webhook of a tenant, locked until the transaction ends. */
export async function lockAlertWebhook(tx: Db, tenant_id: string): Promise<AlertWebhookKey | undefined> {
  const [row] = await tx.query<AlertWebhookKey>(
    sql`select tenant_id, url, sealed from alert_webhooks where tenant_id = ${tenant_id} for update`,
  )
  return row
}

/** The alert webhooks of all tenants that follow one. */
export async function readAlertWebhookPage(
  db: Db,
  { after, limit }: { after: AlertWebhookKey | undefined; limit: number },
): Promise<AlertWebhookKey[]> {
  return db.query<AlertWebhookKey>(sql`
    select tenant_id, url, sealed from alert_webhooks
    where tenant_id > ${after?.tenant_id ?? nilUuid}::uuid
    order by tenant_id
    limit ${limit}`)
}
