import type { Db } from '../../src/engine/db/open.ts'
import { sql } from '../../src/engine/db/sql.ts'
import { newVerificationId } from '../../src/engine/basics/ids.ts'

export type CompletedVerifications = { tenant_id: string; url: string; count: number }

/**
 * Inserts completed verifications with their results and queued webhooks, also for the tenant's endpoints, by the thousand, for runs in which creating and completing
 * each one over HTTP would take most of the time.
 */
export async function insertCompletedVerifications(
  tx: Db,
  { tenant_id, url, count }: CompletedVerifications,
): Promise<string[]> {
  const [now] = await tx.query<{ day: string }>(sql`
    select service_day() as day, make_partitions('verification_results', service_day() + 30, service_day() + 30)`)
  const day = now?.day ?? ''
  const ids = Array.from({ length: count }, () => newVerificationId('0', day))
  await tx.execute(sql`
    insert into verification_sessions
      (day, id, tenant_id, environment, status, template, metadata, webhook_url, certificate, purge_day,
       created_at, expires_at, responded_at)
    select ${day}, id, ${tenant_id}, 'test', 'completed', 'age_over_18', '{"order":"A-123456"}', ${url}, decode('00', 'hex'),
      ${day}::date + 30, service_now() - interval '1 second', service_now() + interval '5 minutes', service_now()
    from unnest(${ids}::text[]) as given (id)`)
  await tx.execute(sql`
    insert into verification_results (purge_day, verification_id, tenant_id, claims, credentials)
    select ${day}::date + 30, id, ${tenant_id}, '{"age_over_18":true,"given_name":"Erika","family_name":"Mustermann"}', '[]'
    from unnest(${ids}::text[]) as given (id)`)
  await tx.execute(sql`
    insert into webhook_events (verification_id, verification_day, tenant_id, environment, url, host)
    select id, ${day}, ${tenant_id}, 'test', ${url}, ${new URL(url).host}
    from unnest(${ids}::text[]) as given (id)`)
  await tx.execute(sql`
    insert into webhook_events (verification_id, endpoint_id, verification_day, tenant_id, environment, url, host, event_type)
    select given.id, endpoint.id, ${day}, ${tenant_id}, 'test', endpoint.url, endpoint.host, 'verification.completed'
    from unnest(${ids}::text[]) as given (id)
    join webhook_endpoints endpoint on endpoint.tenant_id = ${tenant_id} and endpoint.environment = 'test' and endpoint.enabled`)
  return ids
}
