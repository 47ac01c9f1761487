import type { IdTokenAlgorithm } from '@vidimus/contract'
import type { Db } from '../../../engine/db/index.ts'
import { sql } from '../../../engine/db/sql.ts'

type NewIssuer = { tenant_id: string; cell: string; sealed: Buffer }

export type IssuerRow = NewIssuer & { edited_languages_only: boolean }

/** False if the tenant is an issuer already, or does not exist. */
export async function insertIssuer(tx: Db, { tenant_id, cell, sealed }: NewIssuer): Promise<boolean> {
  const inserted = await tx.execute(sql`
    insert into openid_issuers (tenant_id, cell, sealed)
    select t.id, ${cell}, ${sealed} from tenants t where t.id = ${tenant_id}
    on conflict (tenant_id) do nothing`)
  return inserted > 0
}

export async function readIssuer(db: Db, tenant_id: string): Promise<IssuerRow | undefined> {
  const [row] = await db.query<IssuerRow>(sql`
    select i.tenant_id, i.cell, i.sealed, t.edited_languages_only
    from openid_issuers i join tenants t on t.id = i.tenant_id
    where i.tenant_id = ${tenant_id}`)
  return row
}

export type NewSigningKey = {
  id: string
  algorithm: IdTokenAlgorithm
  public_jwk: object
  sealed: Buffer
}

/** Adds keys that sign after a delay, during which clients can learn them. */
export async function insertKeys(
  tx: Db,
  {
    tenant_id,
    keys,
    delay_seconds,
  }: { tenant_id: string; keys: readonly NewSigningKey[]; delay_seconds: number },
): Promise<void> {
  for (const { id, algorithm, public_jwk, sealed } of keys)
    await tx.execute(sql`
      insert into openid_keys (tenant_id, id, algorithm, public_jwk, sealed, signs_from)
      values (${tenant_id}, ${id}, ${algorithm}, ${public_jwk}, ${sealed}, service_now() + make_interval(secs => ${delay_seconds}))`)
}

/** Every published key, the one that signs first: first by algorithm, then the newest of those that sign already. */
export async function readPublicKeys(
  db: Db,
  tenant_id: string,
): Promise<{ id: string; algorithm: IdTokenAlgorithm; public_jwk: object }[]> {
  return db.query(sql`
    select id, algorithm, public_jwk from openid_keys where tenant_id = ${tenant_id}
    order by algorithm desc, signs_from <= service_now() desc, signs_from desc
    limit 100`)
}

export type SigningKeyRow = { id: string; sealed: Buffer; now: string }

/** The newest key of an algorithm that signs already. */
export async function readSigningKey(
  db: Db,
  { tenant_id, algorithm }: { tenant_id: string; algorithm: IdTokenAlgorithm },
): Promise<SigningKeyRow | undefined> {
  const [row] = await db.query<SigningKeyRow>(sql`
    select id, sealed, service_now() as now from openid_keys
    where tenant_id = ${tenant_id} and algorithm = ${algorithm} and signs_from <= service_now()
    order by signs_from desc, id
    limit 1`)
  return row
}

/** Whether a key is published that does not sign yet. */
export async function hasPendingKey(tx: Db, tenant_id: string): Promise<boolean> {
  const [row] = await tx.query<{ pending: boolean }>(sql`
    select exists (
      select from openid_keys where tenant_id = ${tenant_id} and signs_from > service_now()
    ) as pending`)
  return row?.pending === true
}

/** Makes a second rotation wait. False if the tenant is not an issuer. */
export async function lockIssuer(tx: Db, tenant_id: string): Promise<boolean> {
  const rows = await tx.query(sql`select from openid_issuers where tenant_id = ${tenant_id} for update`)
  return rows.length > 0
}

/** Deletes keys whose successor has signed for long enough that no token of theirs is valid any more. */
export async function deleteReplacedKeys(db: Db, { after_hours }: { after_hours: number }): Promise<number> {
  return db.execute(sql`
    delete from openid_keys k
    where exists (
      select from openid_keys newer
      where newer.tenant_id = k.tenant_id and newer.algorithm = k.algorithm and newer.signs_from > k.signs_from
        and newer.signs_from < service_now() - make_interval(hours => ${after_hours}))`)
}
