import type { Environment } from '@vidimus/contract'
import type { Db } from '../../platform/db/open.ts'
import { sql } from '../../platform/db/sql.ts'
import type { DeliveryOutcome } from './describe-outcome.ts'

export type Delivery = {
  session_id: string
  attempt: number
  attempted_at: string
  outcome: DeliveryOutcome['outcome'] | 'interrupted'
  status: number | null
  duration_ms: number | null
  error: string | null
}

/** A tenant's attempts, newest first. */
export async function readDeliveries(
  db: Db,
  { tenant_id, environment, limit, ...filter }: ListDeliveries,
): Promise<Delivery[]> {
  const { session_id = null, outcomes = null, before = null } = filter
  return db.query<Delivery>(sql`
    select session_id, attempt, attempted_at, outcome, status, duration_ms, error
    from webhook_deliveries
    where tenant_id = ${tenant_id} and environment = ${environment}
      and (${session_id}::text is null or session_id = ${session_id})
      and (${outcomes}::text[] is null or outcome = any(${outcomes}))
      and (${before}::timestamptz is null or attempted_at < ${before})
    order by attempted_at desc, attempt desc
    limit ${Math.min(limit, 100)}`)
}

export type ListDeliveries = {
  tenant_id: string
  environment: Environment
  /** Only those of one verification. */
  session_id?: string
  /** Only those with one of these outcomes. */
  outcomes?: readonly Delivery['outcome'][]
  /** Only those made before this time. */
  before?: string
  /** 1-100. */
  limit: number
}
