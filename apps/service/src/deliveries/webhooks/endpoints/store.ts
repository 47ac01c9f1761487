import type { ChangeWebhookEndpoint, Environment, WebhookEndpoint, WebhookEventType } from '@vidimus/contract'
import type { Db } from '../../../engine/db/index.ts'
import { sql } from '../../../engine/db/sql.ts'

export type EndpointOwner = { tenant_id: string; environment: Environment }

export type EndpointRow = EndpointOwner & {
  id: string
  url: string
  events: WebhookEventType[]
  description: string
  enabled: boolean
  disabled_reason: NonNullable<WebhookEndpoint['disabled_reason']> | null
  disabled_at: string | null
  failing_since: string | null
  secret_created_at: string
  previous_retires_at: string | null
  created_at: string
  /** The member who set its URL, also through an API key of theirs. */
  created_by: string | null
  created_by_key: string | null
}

type EndpointMaker = Pick<EndpointRow, 'created_by' | 'created_by_key'>

const endpointColumns = sql`
  id, tenant_id, environment, url, events, description, enabled, disabled_reason, disabled_at, failing_since, secret_created_at,
  case when previous_retires_at > service_now() then previous_retires_at end as previous_retires_at, created_at,
  created_by, created_by_key`

type NewEndpoint = EndpointOwner &
  EndpointMaker &
  Pick<EndpointRow, 'id' | 'url' | 'events' | 'description' | 'enabled'> & { host: string; sealed: Buffer }

/** Undefined if the tenant already has `max` endpoints in the environment. Concurrent creations wait for this transaction. */
export async function insertEndpoint(
  tx: Db,
  { tenant_id, environment, ...endpoint }: NewEndpoint,
  max: number,
): Promise<EndpointRow | undefined> {
  await tx.query(sql`
    select pg_advisory_xact_lock(hashtextextended('webhook_endpoints ' || ${tenant_id} || ${environment}, 0))`)
  const [row] = await tx.query<EndpointRow>(sql`
    insert into webhook_endpoints
      (id, tenant_id, environment, url, host, events, description, enabled, disabled_reason, disabled_at, sealed, created_by,
        created_by_key)
    select ${endpoint.id}, ${tenant_id}::uuid, ${environment}, ${endpoint.url}, ${endpoint.host}, ${endpoint.events}::text[],
      ${endpoint.description}, ${endpoint.enabled}::boolean, case when not ${endpoint.enabled}::boolean then 'by_request' end,
      case when not ${endpoint.enabled}::boolean then service_now() end, ${endpoint.sealed}::bytea,
      ${endpoint.created_by}::uuid, ${endpoint.created_by_key}::uuid
    where (
      select count(*) from webhook_endpoints where tenant_id = ${tenant_id} and environment = ${environment}) < ${max}::integer
    returning ${endpointColumns}`)
  return row
}

/** A tenant's endpoints in an environment, newest first. Creation bounds their number. */
export async function readEndpoints(
  db: Db,
  { tenant_id, environment }: EndpointOwner,
): Promise<EndpointRow[]> {
  return db.query<EndpointRow>(sql`
    select ${endpointColumns} from webhook_endpoints
    where tenant_id = ${tenant_id} and environment = ${environment}
    order by created_at desc, id
    limit 100`)
}

export async function findEndpoint(
  db: Db,
  { tenant_id, environment }: EndpointOwner,
  id: string,
): Promise<EndpointRow | undefined> {
  const [row] = await db.query<EndpointRow>(sql`
    select ${endpointColumns} from webhook_endpoints
    where tenant_id = ${tenant_id} and environment = ${environment} and id = ${id}`)
  return row
}

/** The same, and locks it until the transaction ends. */
export async function lockEndpoint(
  tx: Db,
  { tenant_id, environment }: EndpointOwner,
  id: string,
): Promise<EndpointRow | undefined> {
  const [row] = await tx.query<EndpointRow>(sql`
    select ${endpointColumns} from webhook_endpoints
    where tenant_id = ${tenant_id} and environment = ${environment} and id = ${id}
    for update`)
  return row
}

/** The endpoints that a member made, in both environments. */
export async function readEndpointsOfMember(
  db: Db,
  { tenant_id, member_id }: { tenant_id: string; member_id: string },
): Promise<EndpointRow[]> {
  return db.query<EndpointRow>(sql`
    select ${endpointColumns} from webhook_endpoints
    where tenant_id = ${tenant_id} and created_by = ${member_id}
    order by created_at, id
    limit 200`)
}

export async function updateEndpointMaker(
  tx: Db,
  {
    tenant_id,
    id,
    created_by,
    created_by_key = null,
  }: { tenant_id: string; id: string; created_by: string | null; created_by_key?: string | null },
): Promise<void> {
  await tx.execute(sql`
    update webhook_endpoints set created_by = ${created_by}::uuid, created_by_key = ${created_by_key}::uuid
    where tenant_id = ${tenant_id} and id = ${id}`)
}

type EndpointChange = ChangeWebhookEndpoint & { host?: string | undefined }

/** Changes what is given. Enabling clears why it was disabled, and begins a new count of failures. */
export async function updateEndpoint(
  tx: Db,
  { tenant_id, environment }: EndpointOwner,
  id: string,
  { url = null, host = null, events = null, description = null, enabled = null }: Nullable<EndpointChange>,
): Promise<EndpointRow | undefined> {
  const [row] = await tx.query<EndpointRow>(sql`
    update webhook_endpoints
    set url = coalesce(${url}, url), host = coalesce(${host}, host), events = coalesce(${events}::text[], events),
      description = coalesce(${description}, description), enabled = coalesce(${enabled}::boolean, enabled),
      disabled_reason = case coalesce(${enabled}::boolean, enabled) when false then coalesce(disabled_reason, 'by_request') end,
      disabled_at = case coalesce(${enabled}::boolean, enabled) when false then coalesce(disabled_at, service_now()) end,
      failing_since = case when enabled or ${enabled}::boolean is not true then failing_since end,
      alerted_at = case when enabled or ${enabled}::boolean is not true then alerted_at end
    where tenant_id = ${tenant_id} and environment = ${environment} and id = ${id}
    returning ${endpointColumns}`)
  return row
}

type Nullable<T> = { [Key in keyof T]: T[Key] | null }

export async function deleteEndpointRow(
  tx: Db,
  { tenant_id, environment }: EndpointOwner,
  id: string,
): Promise<EndpointRow | undefined> {
  const [row] = await tx.query<EndpointRow>(sql`
    delete from webhook_endpoints
    where tenant_id = ${tenant_id} and environment = ${environment} and id = ${id}
    returning ${endpointColumns}`)
  return row
}

/** The secret that signed until now also signs for another day; an even older one stops now (HOOK-3). */
export async function replaceEndpointSecret(
  tx: Db,
  { tenant_id, environment }: EndpointOwner,
  { id, sealed }: { id: string; sealed: Buffer },
): Promise<EndpointRow | undefined> {
  const [row] = await tx.query<EndpointRow>(sql`
    update webhook_endpoints
    set previous_sealed = sealed, previous_retires_at = service_now() + interval '24 hours', sealed = ${sealed},
      secret_created_at = service_now()
    where tenant_id = ${tenant_id} and environment = ${environment} and id = ${id}
    returning ${endpointColumns}`)
  return row
}

type SealedEndpointSecret = EndpointOwner & { endpoint_id: string; sealed: Buffer }

/** The active secrets of endpoints, each endpoint's newest first. */
export async function readEndpointSecrets(
  db: Db,
  endpoints: readonly (EndpointOwner & { endpoint_id: string })[],
): Promise<SealedEndpointSecret[]> {
  return db.query<SealedEndpointSecret>(sql`
    select endpoint.tenant_id, endpoint.environment, endpoint.id as endpoint_id, secret.sealed
    from unnest(
      ${endpoints.map(({ tenant_id }) => tenant_id)}::uuid[], ${endpoints.map(({ endpoint_id }) => endpoint_id)}::text[]
    ) as given (tenant_id, id)
    join webhook_endpoints endpoint on endpoint.id = given.id and endpoint.tenant_id = given.tenant_id
    cross join lateral (
      values (1, endpoint.sealed), (2, case when endpoint.previous_retires_at > service_now() then endpoint.previous_sealed end)
    ) as secret (place, sealed)
    where secret.sealed is not null
    order by endpoint.id, secret.place`)
}

/** What an alert and an audit entry say of an endpoint. */
export type FailingEndpoint = Pick<
  EndpointRow,
  'id' | 'tenant_id' | 'environment' | 'url' | 'description' | 'failing_since'
>

const columns = sql`id, tenant_id, environment, url, description, failing_since`

/** Marks endpoints whose attempts have failed for this long and which are not marked yet, up to `limit`. */
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

/** Disables endpoints that failed for this long, up to `limit`: nothing succeeded, and something failed at both ends of that time. */
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
