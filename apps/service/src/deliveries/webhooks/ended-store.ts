import type { Environment } from '@vidimus/contract'
import { type Db, nilUuid } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

type Page<Row> = { after: Row | undefined; limit: number }
export type SecretKey = { tenant_id: string; id: string; environment: Environment; created_at: string }
export type EndpointKey = {
  tenant_id: string
  environment: Environment
  id: string
  url: string
  enabled: boolean
  secret_created_at: string
}

/** A page of the current secrets of all tenants, after the given one. */
export async function readSecretPage(db: Db, { after, limit }: Page<SecretKey>): Promise<SecretKey[]> {
  return db.query<SecretKey>(sql`
    select tenant_id, id::text as id, environment, created_at from webhook_secrets
    where (tenant_id, id) > (${after?.tenant_id ?? nilUuid}::uuid, ${after?.id ?? '0'}::bigint) and retires_at is null
    order by tenant_id, id
    limit ${limit}`)
}

/** A page of the endpoints of all tenants, after the given one. */
export async function readEndpointPage(db: Db, { after, limit }: Page<EndpointKey>): Promise<EndpointKey[]> {
  return db.query<EndpointKey>(sql`
    select tenant_id, environment, id, url, enabled, secret_created_at from webhook_endpoints
    where id > ${after?.id ?? ''}
    order by id
    limit ${limit}`)
}

export type QueuedEventKey = { verification_day: string; verification_id: string; endpoint_id: string }

/** A page of the events still to be delivered, after the given one. */
export async function readQueuedEventPage(
  db: Db,
  { after, limit }: Page<QueuedEventKey>,
): Promise<QueuedEventKey[]> {
  return db.query<QueuedEventKey>(sql`
    select verification_day, verification_id, endpoint_id from webhook_events
    where (verification_id, endpoint_id) > (${after?.verification_id ?? ''}, ${after?.endpoint_id ?? ''}) and kind = 'verification'
    order by verification_id, endpoint_id
    limit ${limit}`)
}

/** Removes events from the queue and logs each as an attempt whose outcome is unknown. Returns how many. */
export async function logAsUnknown(
  db: Db,
  { events, error }: { events: readonly QueuedEventKey[]; error: string },
): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    with taken as (
      delete from webhook_events queue
      using unnest(
        ${events.map(({ verification_id }) => verification_id)}::text[], ${events.map(({ endpoint_id }) => endpoint_id)}::text[]
      ) as given (verification_id, endpoint_id)
      where queue.verification_id = given.verification_id and queue.endpoint_id = given.endpoint_id
      returning queue.*
    ), logged as (
      insert into webhook_deliveries
        (verification_day, verification_id, endpoint_id, attempt, tenant_id, environment, attempted_at, outcome, error, event_type, url)
      select verification_day, verification_id, endpoint_id, attempt + 1, tenant_id, environment, service_now(), 'unknown', ${error}, event_type, url
      from taken
    )
    select count(*) as count from taken`)
  return row?.count ?? 0
}
