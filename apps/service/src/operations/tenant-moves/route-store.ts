import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

/**
 * Stores what names a tenant's cell in a request: the SHA-256 of each key, invitation and dashboard session in hexadecimal digits, the
 * first 21 characters of what follows the cell in a device's tokens, the ids of members, which passkeys contain, of sessions that
 * are open or ended a moment ago, and of the tenant itself, if it is an OpenID issuer.
 */
export async function insertRoutes(
  tx: Db,
  { tenant_id, cell, kept_hours }: { tenant_id: string; cell: string; kept_hours: number },
): Promise<number> {
  return tx.execute(sql`
    insert into moved_routes (route, tenant, cell, until_at)
    select route, ${tenant_id}::uuid, ${cell}, until_at from (
      select encode(hash, 'hex') as route, expires_at as until_at
      from api_keys where tenant_id = ${tenant_id} and revoked_at is null
      union all
      select encode(token_hash, 'hex'), expires_at from member_invitations where tenant_id = ${tenant_id}
      union all
      select encode(token_hash, 'hex'), expires_at from member_sessions where tenant_id = ${tenant_id}
      union all
      select left(translate(encode(decode(replace(id::text, '-', ''), 'hex'), 'base64'), '+/', '-_'), 21), null
      from devices where tenant_id = ${tenant_id} and status <> 'revoked'
      union all
      select id::text, null from members where tenant_id = ${tenant_id}
      union all
      select tenant_id::text, null from openid_issuers where tenant_id = ${tenant_id}
      union all
      select id, greatest(expires_at, service_now()) + make_interval(hours => ${kept_hours}::integer)
      from verification_sessions
      where tenant_id = ${tenant_id} and day >= service_day() - 2 and expires_at > service_now() - interval '1 hour'
    ) found
    on conflict (route) do update set tenant = excluded.tenant, cell = excluded.cell, until_at = excluded.until_at`)
}

export type MovedRoute = { route: string; cell: string }

/** The routes after the given one that are still needed, ordered. */
export async function readRoutes(
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<MovedRoute[]> {
  return db.query<MovedRoute>(sql`
    select route, cell from moved_routes
    where route > ${after} and (until_at is null or until_at > service_now())
    order by route limit ${limit}`)
}

export async function deleteOldRoutes(db: Db): Promise<number> {
  return db.execute(sql`delete from moved_routes where until_at < service_now() - interval '1 day'`)
}
