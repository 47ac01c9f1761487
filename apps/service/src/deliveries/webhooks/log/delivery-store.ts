import type { Environment, WebhookEventType } from '@vidimus/contract'
import type { Db } from '../../../engine/db/index.ts'
import { sql } from '../../../engine/db/sql.ts'
import type { DeliveryOutcome } from './describe-outcome.ts'

export type Delivery = {
  session_id: string
  /** Empty for the session's own URL. */
  endpoint_id: string
  /** What was announced, and where to. Null for attempts from before these were recorded. */
  event_type: WebhookEventType | null
  url: string | null
  attempt: number
  attempted_at: string
  outcome: DeliveryOutcome['outcome'] | 'interrupted' | 'unknown'
  status: number | null
  duration_ms: number | null
  error: string | null
}

/** A tenant's attempts, newest first. */
export async function readDeliveries(
  db: Db,
  { tenant_id, environment, limit, ...filter }: ListDeliveries,
): Promise<Delivery[]> {
  const { session_id = null, endpoint_id = null, event_type = null } = filter
  const { outcomes = null, before = null, after = null } = filter
  return db.query<Delivery>(sql`
    select session_id, endpoint_id, event_type, url, attempt, attempted_at, outcome, status, duration_ms, error
    from webhook_deliveries
    where tenant_id = ${tenant_id} and environment = ${environment}
      and (${session_id}::text is null or session_id = ${session_id})
      and (${outcomes}::text[] is null or outcome = any(${outcomes}))
      and (${endpoint_id}::text is null or endpoint_id = ${endpoint_id})
      and (${event_type}::text is null or event_type = ${event_type})
      and (${before}::timestamptz is null or attempted_at < ${before})
      and (${after}::timestamptz is null or attempted_at >= ${after})
    order by attempted_at desc, attempt desc
    limit ${Math.min(limit, 100)}`)
}

export type ListDeliveries = {
  tenant_id: string
  environment: Environment
  /** Only those of one verification. */
  session_id?: string
  /** Only those to one receiver; empty for the sessions' own URLs. */
  endpoint_id?: string
  event_type?: WebhookEventType
  /** Only those with one of these outcomes. */
  outcomes?: readonly Delivery['outcome'][]
  /** Only those made before this time. */
  before?: string
  /** Only those made at this time or later. */
  after?: string
  /** 1-100. */
  limit: number
}

/** The beginning of what the receiver answered to an attempt, while it is kept. */
export async function findResponse(
  db: Db,
  attempt: { tenant_id: string; session_id: string; endpoint_id: string; attempt: number },
): Promise<string | undefined> {
  const [row] = await db.query<{ body: string }>(sql`
    select body from webhook_responses
    where session_id = ${attempt.session_id} and endpoint_id = ${attempt.endpoint_id} and attempt = ${attempt.attempt}
      and tenant_id = ${attempt.tenant_id} and until_day > service_day()
    limit 1`)
  return row?.body
}
