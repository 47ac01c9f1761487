import type { Environment, Scope } from '@vidimus/contract'
import { type Db, type AsOf, nilUuid, oneOf, queryWithAsOf } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

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
  /** The key that replaces it, if it was rolled. */
  replaced_by: string | null
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
  id, environment, name, prefix, scopes, created_by, created_at, expires_at, revoked_at, last_used_at, replaced_by,
  coalesce(expires_at <= service_now(), false) as expired`

export type NewKey = Pick<KeyRow, 'environment' | 'name' | 'prefix' | 'scopes' | 'created_by'> & {
  tenant_id: string
  hash: Buffer
  lifetime_days: number | null
}

/** Undefined if the tenant does not exist. */
export async function insertKey(tx: Db, key: NewKey): Promise<KeyRow | undefined> {
  const [row] = await tx.query<KeyRow>(sql`
    with clock as (select service_now() as at)
    insert into api_keys (tenant_id, environment, name, hash, prefix, scopes, created_by, created_at, expires_at)
    select tenants.id, ${key.environment}, ${key.name}, ${key.hash}, ${key.prefix}, ${key.scopes}, ${key.created_by}::uuid, clock.at,
      clock.at + make_interval(days => ${key.lifetime_days})
    from tenants, clock
    where tenants.id = ${key.tenant_id}
    returning ${columns}`)
  return row
}

/**
 * The keys with these hexadecimal hashes. Revoked keys are left out here, so that refusing one takes as long as refusing a key
 * that was never issued (AUTH-10).
 */
export async function findKeys(db: Db, hashes: string[]): Promise<{ asOf: AsOf; rows: FoundKey[] }> {
  return queryWithAsOf<FoundKey>(
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

/** The number of usable keys of a tenant, counted up to `max`: those that were not rolled, or those that were and still work. */
export async function countUsableKeys(
  tx: Db,
  tenant_id: string,
  { rolled, max }: { rolled: boolean; max: number },
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*) as count from (
      select from api_keys
      where tenant_id = ${tenant_id} and revoked_at is null and coalesce(expires_at > service_now(), true)
        and (replaced_by is not null) = ${rolled}
      limit ${max}) counted`)
  return row?.count ?? 0
}

export type KeyRoll = Pick<NewKey, 'tenant_id' | 'environment' | 'hash' | 'prefix' | 'created_by'> & {
  /** The key to replace. */
  id: string
  new_id: string
  overlap_seconds: number
}

/**
 * Ends a usable key after the overlap and names its replacement. Of two concurrent calls one finds the key not rolled yet.
 * Undefined if it cannot be rolled.
 */
export async function markRolled(
  tx: Db,
  { tenant_id, environment, id, new_id, overlap_seconds }: KeyRoll,
): Promise<KeyRow | undefined> {
  const [row] = await tx.query<KeyRow>(sql`
    update api_keys
    set replaced_by = ${new_id}::uuid,
      revoked_at = case when ${overlap_seconds}::integer = 0 then service_now() end,
      expires_at = case when ${overlap_seconds}::integer = 0 then expires_at
        else least(expires_at, service_now() + ${overlap_seconds}::integer * interval '1 second') end
    where tenant_id = ${tenant_id} and environment = ${environment} and id = ${id} and replaced_by is null
      and revoked_at is null and coalesce(expires_at > service_now(), true)
    returning ${columns}`)
  return row
}

/** Inserts the replacement of a key, with its name, scopes and lifetime. `old` is the key as it was before. */
export async function insertReplacement(
  tx: Db,
  { tenant_id, environment, new_id, hash, prefix, created_by }: KeyRoll,
  old: Pick<KeyRow, 'name' | 'scopes' | 'created_at' | 'expires_at'>,
): Promise<KeyRow> {
  const [row] = await tx.query<KeyRow>(sql`
    insert into api_keys (tenant_id, id, environment, name, hash, prefix, scopes, created_by, created_at, expires_at)
    select ${tenant_id}::uuid, ${new_id}::uuid, ${environment}, ${old.name}, ${hash}, ${prefix}, ${old.scopes},
      ${created_by}::uuid, now, now + (${old.expires_at}::timestamptz - ${old.created_at}::timestamptz)
    from service_now() as now
    returning ${columns}`)
  if (row === undefined) throw new Error('an insert returned nothing')
  return row
}

export type KeySummary = {
  exists: boolean
  usable: boolean
  expiring: Pick<KeyRow, 'id' | 'name' | 'expires_at'>[]
}

/** Whether any key exists, whether one works now, and the keys that expire first within a week and were not rolled. */
export async function summarizeKeys(
  db: Db,
  { tenant_id, environment, limit }: { tenant_id: string; environment: Environment; limit: number },
): Promise<KeySummary> {
  const [state] = await db.query<{ exists: boolean; usable: boolean }>(sql`
    select
      exists (select from api_keys where tenant_id = ${tenant_id} and environment = ${environment}) as exists,
      exists (
        select from api_keys
        where tenant_id = ${tenant_id} and environment = ${environment} and revoked_at is null
          and coalesce(expires_at > service_now(), true)) as usable`)
  const expiring = await db.query<KeySummary['expiring'][number]>(sql`
    select id, name, expires_at from api_keys
    where tenant_id = ${tenant_id} and environment = ${environment} and revoked_at is null
      and replaced_by is null and expires_at > service_now() and expires_at <= service_now() + interval '7 days'
    order by expires_at, id
    limit ${limit}`)
  return { exists: state?.exists === true, usable: state?.usable === true, expiring }
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

/** Undefined if the tenant has no such key, or it was revoked. It is neither revoked nor taken over until the transaction ends. */
export async function lockUsableKey(
  tx: Db,
  { tenant_id, id }: { tenant_id: string; id: string },
): Promise<Pick<KeyRow, 'created_by' | 'expires_at'> | undefined> {
  const [row] = await tx.query<Pick<KeyRow, 'created_by' | 'expires_at'>>(sql`
    select created_by, expires_at from api_keys where tenant_id = ${tenant_id} and id = ${id} and revoked_at is null for share`)
  return row
}

export async function updateKeyMaker(
  tx: Db,
  { tenant_id, id, created_by }: { tenant_id: string; id: string; created_by: string | null },
): Promise<void> {
  await tx.execute(
    sql`update api_keys set created_by = ${created_by}::uuid where tenant_id = ${tenant_id} and id = ${id}`,
  )
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

export type UsableKeyRow = { tenant_id: string; id: string; prefix: string }

/** A page of the usable keys of all tenants, after the given one. */
export async function readUsableKeyPage(
  db: Db,
  { after, limit }: { after: UsableKeyRow | undefined; limit: number },
): Promise<UsableKeyRow[]> {
  return db.query<UsableKeyRow>(sql`
    select tenant_id, id, prefix from api_keys
    where (tenant_id, id) > (${after?.tenant_id ?? nilUuid}::uuid, ${after?.id ?? nilUuid}::uuid)
      and revoked_at is null and coalesce(expires_at > service_now(), true)
    order by tenant_id, id
    limit ${limit}`)
}

/** Lets a key work until the end of a day at the latest, or not at all if that day is over. */
export async function endKeyWithDay(
  tx: Db,
  { tenant_id, id, day }: { tenant_id: string; id: string; day: string },
): Promise<void> {
  await tx.execute(sql`
    update api_keys
    set expires_at = least(expires_at, ((${day}::date + 1)::timestamp at time zone 'UTC')),
      revoked_at = case when ${day}::date < service_day() then service_now() end
    where tenant_id = ${tenant_id} and id = ${id} and revoked_at is null`)
}
