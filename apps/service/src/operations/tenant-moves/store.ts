import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

type MoveStage = 'draining' | 'frozen' | 'moved' | 'finishing' | 'finished'
type MoveRow = {
  to_cell: string
  stage: MoveStage
  started_at: string
  frozen_at: string | null
  moved_at: string | null
}

export async function findMove(db: Db, tenant_id: string): Promise<MoveRow | undefined> {
  const [row] = await db.query<MoveRow>(
    sql`select to_cell, stage, started_at, frozen_at, moved_at from tenant_moves where tenant = ${tenant_id}`,
  )
  return row
}

/** False if the tenant is being moved already. */
export async function insertMove(
  db: Db,
  { tenant_id, to }: { tenant_id: string; to: string },
): Promise<boolean> {
  const inserted = await db.execute(sql`
    insert into tenant_moves (tenant, to_cell, stage) values (${tenant_id}, ${to}, 'draining') on conflict do nothing`)
  return inserted === 1
}

/** Advances a move to its next stage. False if the move is in another stage. */
export async function advanceMove(
  db: Db,
  { tenant_id, from, to }: { tenant_id: string; from: MoveStage; to: MoveStage },
): Promise<boolean> {
  const updated = await db.execute(sql`
    update tenant_moves
    set stage = ${to},
      frozen_at = case when ${to}::text = 'frozen' then service_now() else frozen_at end,
      moved_at = case when ${to}::text = 'moved' then service_now() else moved_at end
    where tenant = ${tenant_id} and stage = ${from}`)
  return updated === 1
}

export async function deleteMove(db: Db, tenant_id: string): Promise<void> {
  await db.execute(sql`delete from tenant_moves where tenant = ${tenant_id}`)
}

/** Whether the rows of any tenant are still held. */
export async function hasActiveMove(db: Db): Promise<boolean> {
  const rows = await db.query<{ stage: string }>(
    sql`select stage from tenant_moves where stage <> 'finished' limit 1`,
  )
  return rows.length > 0
}

/** The foreign keys, as pairs of a table and the one that it refers to. */
export async function listReferences(db: Db): Promise<{ name: string; refers_to: string }[]> {
  return db.query<{ name: string; refers_to: string }>(sql`
    select distinct c.conrelid::regclass::text as name, c.confrelid::regclass::text as refers_to
    from pg_constraint c
    where c.contype = 'f' and c.conrelid <> c.confrelid and c.connamespace = current_schema()::regnamespace
    limit 10000`)
}

export async function holdTable(db: Db, name: string, enabled: boolean): Promise<void> {
  await db.query(sql`select hold_tenant_table(${name}, ${enabled})`)
}

/** Whether a transaction that began before the given time is still open. Its statements may not see a change made at that time. */
export async function hasOlderTransaction(db: Db, before: string): Promise<boolean> {
  const rows = await db.query<{ pid: number }>(sql`
    select pid from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      and xact_start <= ${before}::timestamptz
    limit 1`)
  return rows.length > 0
}

export async function readRealTime(db: Db): Promise<string> {
  const [row] = await db.query<{ now: string }>(sql`select clock_timestamp() as now`)
  return row?.now ?? ''
}

/** Whether an event of the tenant is being sent, or a resend is in progress. */
export async function hasOpenWork(db: Db, tenant_id: string): Promise<boolean> {
  const rows = await db.query<{ found: number }>(sql`
    (select 1 as found from webhook_events
      where tenant_id = ${tenant_id} and lease is not null and due_at > service_now() limit 1)
    union all
    (select 1 from webhook_resends where tenant_id = ${tenant_id} and finished_at is null limit 1)`)
  return rows.length > 0
}

/** The names of all applied migrations, to compare two cells. */
export async function listMigrations(db: Db): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    sql`select name from schema_migrations order by name limit 10000`,
  )
  return rows.map(({ name }) => name)
}

/** The last day whose outcomes were counted. */
export async function readCountedDay(db: Db): Promise<string> {
  const [row] = await db.query<{ through: string }>(sql`select through from outcome_progress`)
  return row?.through ?? ''
}

/** Whether this database has the tenant, or the audit chain of one that was deleted. */
export async function hasTenant(db: Db, tenant_id: string): Promise<{ tenant: boolean; chain: boolean }> {
  const [row] = await db.query<{ tenant: boolean; chain: boolean }>(sql`
    select exists (select from tenants where id = ${tenant_id}) as tenant,
      exists (select from audit_chains where tenant_id = ${tenant_id}) as chain`)
  return row ?? { tenant: false, chain: false }
}

/** Session-level: released when the connection closes. False if another process moves this tenant. */
export async function tryLockMove(db: Db, tenant_id: string): Promise<boolean> {
  const [row] = await db.query<{ locked: boolean }>(
    sql`select pg_try_advisory_lock(hashtextextended('tenant move:' || ${tenant_id}, 0)) as locked`,
  )
  return row?.locked === true
}

export async function unlockMove(db: Db, tenant_id: string): Promise<void> {
  await db.query(sql`select pg_advisory_unlock(hashtextextended('tenant move:' || ${tenant_id}, 0))`)
}

export type MovedRoute = { route: string; cell: string }

/**
 * Stores everything by which a request names a tenant's cell: the SHA-256 of each key, link, invitation and dashboard session in hexadecimal
 * digits; the first 21 characters after the cell in a device's tokens; the ids of members, which passkeys contain; the ids of
 * verifications that are open or ended within the hour; and the id of the tenant itself, which its OpenID issuer and its page for erasures have.
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
      select encode(code_hash, 'hex'), null from verification_links where tenant_id = ${tenant_id}
      union all
      select id::text, null from members where tenant_id = ${tenant_id}
      union all
      select id::text, null from tenants where id = ${tenant_id}
      union all
      select id, greatest(expires_at, service_now()) + make_interval(hours => ${kept_hours}::integer)
      from verification_sessions
      where tenant_id = ${tenant_id} and day >= service_day() - 2 and expires_at > service_now() - interval '1 hour'
    ) found
    on conflict (route) do update set tenant = excluded.tenant, cell = excluded.cell, until_at = excluded.until_at`)
}

/** A page of the routes that are still needed, after the given one. */
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
