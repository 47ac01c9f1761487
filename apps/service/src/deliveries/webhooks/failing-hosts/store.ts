import type { Environment } from '@vidimus/contract'
import type { Db } from '../../../engine/db/index.ts'
import { sql } from '../../../engine/db/sql.ts'

export type FailingHost = {
  tenant_id: string
  environment: Environment
  host: string
  failing_since: string | null
}

const columns = sql`tenant_id, environment, host, failing_since`

/** Marks hosts whose attempts have failed for this long and which are not marked yet, up to `limit`. */
export async function markHosts(
  tx: Db,
  { after_minutes, limit }: { after_minutes: number; limit: number },
): Promise<FailingHost[]> {
  return tx.query<FailingHost>(sql`
    update failing_webhook_hosts
    set alerted_at = service_now()
    where (tenant_id, environment, host) in (
      select tenant_id, environment, host from failing_webhook_hosts
      where alerted_at is null and last_failed_at >= failing_since + make_interval(mins => ${after_minutes}::integer)
      order by failing_since
      limit ${limit}
      for update skip locked)
    returning ${columns}`)
}

/** Deletes hosts that work again, or to which nothing was sent for this long, up to `limit`. */
export async function deleteHosts(
  tx: Db,
  { after_days, limit }: { after_days: number; limit: number },
): Promise<FailingHost[]> {
  return tx.query<FailingHost>(sql`
    delete from failing_webhook_hosts
    where (tenant_id, environment, host) in (
      select tenant_id, environment, host from failing_webhook_hosts
      where failing_since is null or last_failed_at <= service_now() - make_interval(days => ${after_days}::integer)
      limit ${limit}
      for update skip locked)
    returning ${columns}`)
}
