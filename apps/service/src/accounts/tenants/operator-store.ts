import { type Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'
import type { TenantState } from './store.ts'

/** A tenant as operators list it. */
export type OperatedTenantRow = {
  id: string
  name: string
  external_id: string | null
  state: TenantState
  plan: string
  daily_quota: number
  created_today: number
  created_at: string
  /** Null if never. */
  last_active_at: string | null
  deletion_at: string | null
}

const columns = sql`
  t.id, t.name, t.external_id, t.state, t.plan, coalesce(t.daily_quota, p.daily_quota) as daily_quota, t.created_at, t.deletion_at,
  coalesce((select u.used from tenant_usage u where u.tenant_id = t.id and u.day = service_day()), 0) as created_today,
  nullif(greatest(
    (select max(k.last_used_at) from api_keys k where k.tenant_id = t.id),
    (select max(m.last_seen_at) from members m where m.tenant_id = t.id),
    (select u.last_created_at from tenant_usage u where u.tenant_id = t.id)), '-infinity') as last_active_at`

export type TenantCursor = { name: string; id: string }
export type TenantFilter = { state: TenantState | null; q: string | null }

/** The next tenants by name, whatever its case. The text matches a part of the name, or a whole id. */
export async function readOperatedTenants(
  db: Db,
  { after, state, q, limit }: TenantFilter & { after: TenantCursor | undefined; limit: number },
): Promise<OperatedTenantRow[]> {
  return db.query<OperatedTenantRow>(sql`
    select ${columns} from tenants t join plans p on p.name = t.plan
    where (${after === undefined} or (lower(t.name), t.id) > (lower(${after?.name ?? ''}), ${after?.id ?? null}::uuid))
      and (${state}::text is null or t.state = ${state})
      and (${q}::text is null or position(lower(${q}) in lower(t.name)) > 0 or t.id::text = lower(${q}) or t.external_id = ${q})
    order by lower(t.name), t.id limit ${limit}`)
}

export async function findOperatedTenant(db: Db, id: string): Promise<OperatedTenantRow | undefined> {
  const [row] = await db.query<OperatedTenantRow>(
    sql`select ${columns} from tenants t join plans p on p.name = t.plan where t.id = ${id}`,
  )
  return row
}

/** Those with this id or external id: two at most. */
export async function findTenantsById(
  db: Db,
  id: string,
): Promise<{ id: string; name: string; state: TenantState }[]> {
  return db.query<{ id: string; name: string; state: TenantState }>(sql`
    select id, name, state from tenants where id::text = lower(${id}) or external_id = ${id} order by id limit 2`)
}

export async function findTenantByExternalId(db: Db, external_id: string): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(sql`select id from tenants where external_id = ${external_id}`)
  return row?.id
}

export async function countStates(db: Db): Promise<Record<TenantState, number>> {
  const rows = await db.query<{ state: TenantState; tenants: number }>(
    sql`select state, count(*) as tenants from tenants group by state limit 3`,
  )
  return {
    active: 0,
    suspended: 0,
    closed: 0,
    ...Object.fromEntries(rows.map(({ state, tenants }) => [state, tenants])),
  }
}

type UndecidedTenantRow = {
  id: string
  name: string
  kind: 'sign_up_waits' | 'deletion_planned' | 'suspended'
  since: string
}

/** Tenants whose sign-up waits, that are suspended or will be deleted, the newest first. */
export async function readUndecided(db: Db, limit: number): Promise<UndecidedTenantRow[]> {
  return db.query<UndecidedTenantRow>(sql`
    select t.id, t.name, it.kind, it.since
    from tenants t,
      lateral (values
        ('sign_up_waits', case when t.approval in ('pending', 'waiting') and t.state <> 'closed' then t.created_at end),
        ('suspended', case when t.state = 'suspended' then coalesce(t.state_changed_at, t.created_at) end),
        ('deletion_planned', t.deletion_at)) as it (kind, since)
    where it.since is not null
    order by it.since desc, t.id, it.kind limit ${limit}`)
}

export async function readTenantNames(
  db: Db,
  ids: readonly string[],
): Promise<{ id: string; name: string }[]> {
  if (ids.length === 0) return []
  return db.query<{ id: string; name: string }>(
    sql`select id, name from tenants where id = any (${ids}::uuid[]) limit ${ids.length}`,
  )
}

/** Returns when it will be deleted; the first time if it was planned before. */
export async function planDeletion(tx: Db, { id, days }: { id: string; days: number }): Promise<string> {
  const [row] = await tx.query<{ deletion_at: string }>(sql`
    update tenants set deletion_at = coalesce(deletion_at, service_now() + make_interval(days => ${days}::integer))
    where id = ${id} returning deletion_at`)
  if (row === undefined) throw new Error('the tenant was deleted while its row was locked')
  return row.deletion_at
}

/** False if none is planned, or it has begun. */
export async function withdrawDeletion(tx: Db, id: string): Promise<boolean> {
  const withdrawn = await tx.execute(sql`
    update tenants set deletion_at = null where id = ${id} and deletion_at is not null and deletion_begun_at is null`)
  return withdrawn === 1
}

/** A tenant whose deletion is due, which nobody else will begin within the next hour; also one that was interrupted. */
export async function claimDueDeletion(tx: Db): Promise<{ id: string; name: string } | undefined> {
  const [row] = await tx.query<{ id: string; name: string }>(sql`
    update tenants set deletion_begun_at = service_now()
    where id = (
      select id from tenants
      where deletion_at <= service_now() and coalesce(deletion_begun_at < service_now() - interval '1 hour', true)
      order by deletion_at limit 1
      for update skip locked)
    returning id, name`)
  return row
}
