import type { Db } from '../../../engine/db/index.ts'
import { sql } from '../../../engine/db/sql.ts'
import type { EndpointRow } from './store.ts'

/** What an alert and an audit entry say of an endpoint. */
export type FailingEndpoint = Pick<
  EndpointRow,
  'id' | 'tenant_id' | 'environment' | 'url' | 'description' | 'failing_since'
>

const columns = sql`id, tenant_id, environment, url, description, failing_since`

/** Marks endpoints whose attempts have failed for so long and of which nobody was told, up to `limit`. */
export async function markAlerted(
  tx: Db,
  { after_minutes, limit }: { after_minutes: number; limit: number },
): Promise<FailingEndpoint[]> {
  return tx.query<FailingEndpoint>(sql`
    update webhook_endpoints
    set alerted_at = service_now()
    where id in (
      select id from webhook_endpoints
      where enabled and failing_since is not null and alerted_at is null
        and last_failed_at >= failing_since + make_interval(mins => ${after_minutes}::integer)
      order by failing_since
      limit ${limit}
      for update skip locked)
    returning ${columns}`)
}

/** Unmarks endpoints that work again. */
export async function unmarkRecovered(tx: Db, limit: number): Promise<FailingEndpoint[]> {
  return tx.query<FailingEndpoint>(sql`
    update webhook_endpoints
    set alerted_at = null
    where id in (
      select id from webhook_endpoints
      where alerted_at is not null and enabled and failing_since is null
      limit ${limit}
      for update skip locked)
    returning ${columns}`)
}

/** Disables endpoints that failed for so long, up to `limit`: nothing succeeded, and something failed at both ends of that time. */
export async function disableFailing(
  tx: Db,
  { after_days, limit }: { after_days: number; limit: number },
): Promise<FailingEndpoint[]> {
  return tx.query<FailingEndpoint>(sql`
    update webhook_endpoints
    set enabled = false, disabled_reason = 'failing', disabled_at = service_now()
    where id in (
      select id from webhook_endpoints
      where enabled and failing_since is not null
        and last_failed_at >= failing_since + make_interval(days => ${after_days}::integer)
      order by failing_since
      limit ${limit}
      for update skip locked)
    returning ${columns}`)
}
