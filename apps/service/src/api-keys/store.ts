import type { Environment, Scope } from '@vidimus/contract'
import { queryWithMoment, type Moment } from '../platform/db/change-version.ts'
import { oneOf } from '../platform/db/batch-rows.ts'
import type { Db } from '../platform/db/open.ts'
import { sql } from '../platform/db/sql.ts'

export type KeyRow = {
  id: string
  environment: Environment
  name: string
  prefix: string
  scopes: Scope[]
  /** The member who created it, if known. */
  created_by: string | null
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
  expired: boolean
}

export type FoundKey = {
  /** Hexadecimal. */
  hash: string
  id: string
  tenant_id: string
  environment: Environment
  scopes: readonly Scope[]
  expires_at: string | null
}

const columns = sql`
  id, environment, name, prefix, scopes, created_by, created_at, expires_at, revoked_at, last_used_at,
  coalesce(expires_at <= service_now(), false) as expired`

export type NewKey = Pick<KeyRow, 'environment' | 'name' | 'prefix' | 'scopes' | 'created_by'> & {
  tenant_id: string
  hash: Buffer
  lifetime_days: number | null
}

/** Undefined if the tenant does not exist. */
export async function insertKey(tx: Db, key: NewKey): Promise<KeyRow | undefined> {
  const [row] = await tx.query<KeyRow>(sql`
    with moment as (select service_now() as at)
    insert into api_keys (tenant_id, environment, name, hash, prefix, scopes, created_by, created_at, expires_at)
    select tenants.id, ${key.environment}, ${key.name}, ${key.hash}, ${key.prefix}, ${key.scopes}, ${key.created_by}::uuid, moment.at,
      moment.at + make_interval(days => ${key.lifetime_days})
    from tenants, moment
    where tenants.id = ${key.tenant_id}
    returning ${columns}`)
  return row
}

/**
 * The keys with these hexadecimal hashes. Revoked keys are left out here, so that refusing one takes as long as refusing a key
 * that was never issued (AUTH-10).
 */
export async function findKeys(db: Db, hashes: string[]): Promise<{ moment: Moment; rows: FoundKey[] }> {
  return queryWithMoment<FoundKey>(
    db,
    sql`
    select encode(hash, 'hex') as hash, id, tenant_id, environment, scopes, expires_at
    from api_keys
    where hash = ${oneOf(sql`${hashes.map((hash) => `\\x${hash}`)}::bytea[]`)} and revoked_at is null
    limit 1000`,
  )
}

export async function readKeys(
  db: Db,
  { tenant_id, environment }: { tenant_id: string; environment: Environment | null },
): Promise<KeyRow[]> {
  return db.query<KeyRow>(sql`
    select ${columns} from api_keys
    where tenant_id = ${tenant_id} and (${environment}::text is null or environment = ${environment})
    order by created_at desc, id
    limit 1000`)
}

/** The number of usable keys of a tenant, counted up to `max`. */
export async function countUsableKeys(tx: Db, tenant_id: string, max: number): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*) as count from (
      select from api_keys
      where tenant_id = ${tenant_id} and revoked_at is null and coalesce(expires_at > service_now(), true)
      limit ${max}) counted`)
  return row?.count ?? 0
}

export type KeySummary = { exists: boolean; expiring: Pick<KeyRow, 'id' | 'name' | 'expires_at'>[] }

/** Whether any key exists, and the keys that expire first within a week. */
export async function summarizeKeys(
  db: Db,
  { tenant_id, environment, limit }: { tenant_id: string; environment: Environment; limit: number },
): Promise<KeySummary> {
  const [first] = await db.query(sql`
    select id from api_keys where tenant_id = ${tenant_id} and environment = ${environment} limit 1`)
  const expiring = await db.query<KeySummary['expiring'][number]>(sql`
    select id, name, expires_at from api_keys
    where tenant_id = ${tenant_id} and environment = ${environment} and revoked_at is null
      and expires_at > service_now() and expires_at <= service_now() + interval '7 days'
    order by expires_at, id
    limit ${limit}`)
  return { exists: first !== undefined, expiring }
}

/** The usable keys that a member created. */
export async function readUsableKeysOfMember(
  tx: Db,
  { tenant_id, member_id }: { tenant_id: string; member_id: string },
): Promise<KeyRow[]> {
  return tx.query<KeyRow>(sql`
    select ${columns} from api_keys
    where tenant_id = ${tenant_id} and created_by = ${member_id} and revoked_at is null
      and coalesce(expires_at > service_now(), true)
    order by created_at, id
    limit 10000`)
}

export async function findKey(
  db: Db,
  { tenant_id, id }: { tenant_id: string; id: string },
): Promise<KeyRow | undefined> {
  const [row] = await db.query<KeyRow>(
    sql`select ${columns} from api_keys where tenant_id = ${tenant_id} and id = ${id}`,
  )
  return row
}

/** Undefined if the tenant has no such key. A key that was already revoked keeps its time. */
export async function markRevoked(
  tx: Db,
  { tenant_id, id, environment = null }: { tenant_id: string; id: string; environment?: string | null },
): Promise<KeyRow | undefined> {
  const [row] = await tx.query<KeyRow>(sql`
    update api_keys set revoked_at = coalesce(revoked_at, service_now())
    where tenant_id = ${tenant_id} and id = ${id} and (${environment}::text is null or environment = ${environment})
    returning ${columns}`)
  return row
}

/** Records that these keys were used just now. Skips keys that another process is updating or that were updated within a minute. */
export async function markUsed(db: Db, used: { tenant_id: string; id: string }[]): Promise<void> {
  const tenants = used.map(({ tenant_id }) => tenant_id)
  const ids = used.map(({ id }) => id)
  await db.execute(sql`
    with due as (
      select api_keys.tenant_id, api_keys.id
      from unnest(${tenants}::uuid[], ${ids}::uuid[]) as used (tenant_id, id)
      join api_keys using (tenant_id, id)
      where coalesce(last_used_at < service_now() - interval '1 minute', true)
      for update of api_keys skip locked
    )
    update api_keys set last_used_at = service_now()
    from due
    where api_keys.tenant_id = due.tenant_id and api_keys.id = due.id`)
}

/** The names of a tenant's keys, revoked ones too. */
export async function readKeyNames(
  db: Db,
  { tenant_id, ids }: { tenant_id: string; ids: readonly string[] },
): Promise<{ id: string; name: string }[]> {
  return db.query<{ id: string; name: string }>(sql`
    select id, name from api_keys where tenant_id = ${tenant_id} and id = any(${ids}::uuid[])`)
}
