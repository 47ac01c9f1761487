import { type Db, nilUuid } from '../../../engine/db/index.ts'
import { type Sql, sql } from '../../../engine/db/sql.ts'

export type AlertWebhookRow = {
  url: string
  created_at: string
  /** When the previous secret stops signing. */
  previous_retires_at: string | null
  last_attempt_at: string | null
  last_outcome: string | null
  waiting: number
  /** The member who set its URL. */
  created_by: string | null
}

export async function findAlertWebhook(db: Db, tenant_id: string): Promise<AlertWebhookRow | undefined> {
  const [row] = await db.query<AlertWebhookRow>(sql`
    select url, created_at, last_attempt_at, last_outcome, created_by,
      case when previous_retires_at > service_now() then previous_retires_at end as previous_retires_at,
      (select count(*) from webhook_events q where q.tenant_id = ${tenant_id} and q.kind = 'alert') as waiting
    from alert_webhooks
    where tenant_id = ${tenant_id}`)
  return row
}

/**
 * Creates the webhook with a secret, or changes its URL and keeps the secret: the new URL also gets what waits. Returns whether it was
 * created.
 */
export async function putAlertWebhook(
  tx: Db,
  webhook: { tenant_id: string; url: string; host: string; sealed: Buffer; created_by: string | null },
): Promise<boolean> {
  const { tenant_id, url, host, sealed, created_by } = webhook
  const [row] = await tx.query<{ created: boolean }>(sql`
    insert into alert_webhooks (tenant_id, url, sealed, created_at, created_by)
    select id, ${url}, ${sealed}, service_now(), ${created_by}::uuid from tenants where id = ${tenant_id}
    on conflict (tenant_id) do update
    set url = excluded.url, created_by = excluded.created_by, last_attempt_at = null, last_outcome = null
    returning sealed = ${sealed} as created`)
  if (row === undefined) throw new Error('The tenant does not exist.')
  await tx.execute(sql`
    with waiting as (${lockWaiting(tenant_id)})
    update webhook_events e set url = ${url}, host = ${host} from waiting where e.verification_id = waiting.verification_id and e.kind = 'alert'`)
  return row.created
}

export async function updateAlertWebhookMaker(
  tx: Db,
  { tenant_id, created_by }: { tenant_id: string; created_by: string | null },
): Promise<void> {
  await tx.execute(
    sql`update alert_webhooks set created_by = ${created_by}::uuid where tenant_id = ${tenant_id}`,
  )
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

/** What waits for it is deleted too. */
export async function deleteAlertWebhook(tx: Db, tenant_id: string): Promise<void> {
  await tx.execute(sql`delete from alert_webhooks where tenant_id = ${tenant_id}`)
  await tx.execute(sql`
    with waiting as (${lockWaiting(tenant_id)})
    delete from webhook_events e using waiting where e.verification_id = waiting.verification_id and e.kind = 'alert'`)
}

/** In the order in which workers lock what they record. */
function lockWaiting(tenant_id: string): Sql {
  return sql`
    select verification_id from webhook_events where tenant_id = ${tenant_id} and kind = 'alert' order by verification_id for update`
}

/** Stores the outcome of the latest attempt, for members to see. */
export async function updateLastOutcome(
  db: Db,
  { tenant_id, outcome }: { tenant_id: string; outcome: string },
): Promise<void> {
  await db.execute(sql`
    update alert_webhooks set last_attempt_at = service_now(), last_outcome = ${outcome} where tenant_id = ${tenant_id}`)
}

type QueuedAlert = { event_id: string; payload: object }

/** What enqueueing needs of the webhook. Locks it, so that a concurrent change of its URL waits and finds what is queued here. */
export async function shareAlertUrl(tx: Db, tenant_id: string): Promise<string | undefined> {
  const [row] = await tx.query<{ url: string }>(
    sql`select url from alert_webhooks where tenant_id = ${tenant_id} for share`,
  )
  return row?.url
}

type NewAlerts = {
  tenant_id: string
  url: string
  host: string
  events: readonly QueuedAlert[]
  max_waiting: number
}

/** Queues events for the tenant's alert webhook, unless too many wait. */
export async function insertQueued(
  tx: Db,
  { tenant_id, url, host, events, max_waiting }: NewAlerts,
): Promise<void> {
  await tx.execute(sql`
    insert into webhook_events (verification_id, kind, tenant_id, url, host, payload)
    select e.event_id, 'alert', ${tenant_id}::uuid, ${url}, ${host}, e.payload
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as e (event_id text, payload jsonb)
    where (select count(*) from webhook_events q where q.tenant_id = ${tenant_id} and q.kind = 'alert') < ${max_waiting}::integer
    on conflict do nothing`)
}

export type AlertWebhookKey = { tenant_id: string; url: string; sealed: Buffer }

/** The alert webhook of a tenant, locked until the transaction ends. */
export async function lockAlertWebhook(tx: Db, tenant_id: string): Promise<AlertWebhookKey | undefined> {
  const [row] = await tx.query<AlertWebhookKey>(
    sql`select tenant_id, url, sealed from alert_webhooks where tenant_id = ${tenant_id} for update`,
  )
  return row
}

/** A page of the alert webhooks of all tenants, after the given one. */
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
