import type { Environment, PublicJwk, SealingKey } from '@vidimus/contract'
import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

export type SealingKeyKey = { tenant_id: string; environment: Environment; kid: string }

export type SealingKeyRow = SealingKeyKey & {
  jwk: PublicJwk
  name: string | null
  state: SealingKey['state']
  created_at: string
  activated_at: string | null
  retired_at: string | null
}

const columns = sql`k.tenant_id, k.environment, k.kid, k.jwk, k.name, k.state, k.created_at, k.activated_at, k.retired_at`

export type EnvironmentOf = Pick<SealingKeyKey, 'tenant_id' | 'environment'>

/** Bounded by what may be registered and by how many retired ones are kept. */
export async function readSealingKeys(
  db: Db,
  { tenant_id, environment }: EnvironmentOf,
): Promise<SealingKeyRow[]> {
  return db.query<SealingKeyRow>(sql`
    select ${columns} from sealing_keys k
    where k.tenant_id = ${tenant_id} and k.environment = ${environment}
    order by k.created_at, k.kid
    limit 100`)
}

export type NewSealingKey = SealingKeyKey & {
  jwk: PublicJwk
  name: string | null
  challenge_hash: Buffer
  challenge_seconds: number
}

/** A pending key with the same id is replaced with its challenge. False if it is active or retired. */
export async function insertSealingKey(tx: Db, key: NewSealingKey): Promise<boolean> {
  const inserted = await tx.execute(sql`
    insert into sealing_keys as k (tenant_id, environment, kid, jwk, name, state, challenge_hash, challenge_expires_at, created_at)
    values (${key.tenant_id}, ${key.environment}, ${key.kid}, ${key.jwk}::jsonb, ${key.name}, 'pending', ${key.challenge_hash},
      service_now() + make_interval(secs => ${key.challenge_seconds}::integer), service_now())
    on conflict (tenant_id, environment, kid) do update
    set name = excluded.name, challenge_hash = excluded.challenge_hash, challenge_expires_at = excluded.challenge_expires_at
    where k.state = 'pending'`)
  return inserted === 1
}

/** Activates a pending key whose challenge was answered in time. Undefined if the answer is wrong or late, or the key is not pending. */
export async function markActive(
  tx: Db,
  { tenant_id, environment, kid, challenge_hash }: SealingKeyKey & { challenge_hash: Buffer },
): Promise<SealingKeyRow | undefined> {
  const [row] = await tx.query<SealingKeyRow>(sql`
    update sealing_keys k
    set state = 'active', activated_at = service_now(), challenge_hash = null, challenge_expires_at = null
    where k.tenant_id = ${tenant_id} and k.environment = ${environment} and k.kid = ${kid} and k.state = 'pending'
      and k.challenge_hash = ${challenge_hash} and k.challenge_expires_at > service_now()
    returning ${columns}`)
  return row
}

/** False if the key is not active. */
export async function markRetired(tx: Db, { tenant_id, environment, kid }: SealingKeyKey): Promise<boolean> {
  const retired = await tx.execute(sql`
    update sealing_keys set state = 'retired', retired_at = service_now()
    where tenant_id = ${tenant_id} and environment = ${environment} and kid = ${kid} and state = 'active'`)
  return retired === 1
}

/** Deletes a key that never sealed anything. */
export async function deletePendingKey(
  tx: Db,
  { tenant_id, environment, kid }: SealingKeyKey,
): Promise<void> {
  await tx.execute(sql`
    delete from sealing_keys
    where tenant_id = ${tenant_id} and environment = ${environment} and kid = ${kid} and state = 'pending'`)
}

/** Deletes the keys that were retired first, beyond so many. */
export async function deleteOldRetired(
  tx: Db,
  { tenant_id, environment }: EnvironmentOf,
  keep: number,
): Promise<void> {
  await tx.execute(sql`
    delete from sealing_keys k
    where k.tenant_id = ${tenant_id} and k.environment = ${environment} and k.kid in (
      select o.kid from sealing_keys o
      where o.tenant_id = ${tenant_id} and o.environment = ${environment} and o.state = 'retired'
      order by o.retired_at desc, o.kid
      offset ${keep})`)
}

/** Without keys, results are stored unsealed again. */
export async function deleteSealingKeys(tx: Db, { tenant_id, environment }: EnvironmentOf): Promise<void> {
  await tx.execute(
    sql`delete from sealing_keys where tenant_id = ${tenant_id} and environment = ${environment}`,
  )
}

/** A page of the active keys of all tenants, after the given one. */
export async function readActiveKeyPage(
  db: Db,
  { after, limit }: { after: SealingKeyKey | undefined; limit: number },
): Promise<SealingKeyKey[]> {
  return db.query<SealingKeyKey>(sql`
    select tenant_id, environment, kid from sealing_keys
    where state = 'active' and (
      ${after === undefined}::boolean
      or (tenant_id, environment, kid) > (${after?.tenant_id ?? null}::uuid, ${after?.environment ?? null}, ${after?.kid ?? null}))
    order by tenant_id, environment, kid
    limit ${limit}`)
}
