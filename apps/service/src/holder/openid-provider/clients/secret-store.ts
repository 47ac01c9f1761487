import { type Db, nilUuid } from '../../../engine/db/index.ts'
import { sql } from '../../../engine/db/sql.ts'

type ClientKey = { tenant_id: string; client_id: string }

export async function insertSecret(
  tx: Db,
  { id, tenant_id, client_id, hash }: ClientKey & { id: string; hash: Buffer },
): Promise<void> {
  await tx.execute(sql`
    insert into openid_client_secrets (id, tenant_id, client_id, hash)
    values (${id}, ${tenant_id}, ${client_id}, ${hash})`)
}

/** The secret that no newer one replaces. Undefined if a restore ended it. */
export async function readNewestSecret(
  db: Db,
  { tenant_id, client_id }: ClientKey,
): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(sql`
    select id from openid_client_secrets
    where tenant_id = ${tenant_id} and client_id = ${client_id} and expires_at is null
    limit 1`)
  return row?.id
}

/** Deletes the secrets of a client: all, or those that have expired. Returns the ids of those that worked. */
export async function deleteSecrets(
  tx: Db,
  { tenant_id, client_id, which }: ClientKey & { which: 'all' | 'expired' },
): Promise<string[]> {
  const rows = await tx.query<{ id: string; worked: boolean }>(sql`
    delete from openid_client_secrets
    where tenant_id = ${tenant_id} and client_id = ${client_id}
      and (${which}::text = 'all' or expires_at <= service_now())
    returning id, coalesce(expires_at > service_now(), true) as worked`)
  return rows.filter(({ worked }) => worked).map(({ id }) => id)
}

/** Lets the newest secret work until the overlap ends. Undefined if there is none. */
export async function endNewestSecret(
  tx: Db,
  { tenant_id, client_id, overlap_seconds }: ClientKey & { overlap_seconds: number },
): Promise<{ id: string; expires_at: string } | undefined> {
  const [row] = await tx.query<{ id: string; expires_at: string }>(sql`
    update openid_client_secrets set expires_at = service_now() + ${overlap_seconds}::integer * interval '1 second'
    where tenant_id = ${tenant_id} and client_id = ${client_id} and expires_at is null
    returning id, expires_at`)
  return row
}

export type ClientKeyRow = { tenant_id: string; id: string; redirect_uris: string[] }

export type WorkingSecretRow = { tenant_id: string; client_id: string; id: string }

/** A page of the clients of all tenants, after the given one. */
export async function readClientPage(
  db: Db,
  { after, limit }: { after: ClientKeyRow | undefined; limit: number },
): Promise<ClientKeyRow[]> {
  return db.query<ClientKeyRow>(sql`
    select tenant_id, id, redirect_uris from openid_clients
    where id > ${after?.id ?? ''}
    order by id
    limit ${limit}`)
}

/** Removes redirect addresses. A client that has none left is not usable until a member adds one. */
export async function removeRedirectUris(
  tx: Db,
  { tenant_id, id, uris }: { tenant_id: string; id: string; uris: readonly string[] },
): Promise<void> {
  await tx.execute(sql`
    update openid_clients
    set redirect_uris = array(select uri from unnest(redirect_uris) with ordinality as each (uri, place)
      where uri <> all (${uris}::text[]) order by place)
    where tenant_id = ${tenant_id} and id = ${id}`)
}

/** A page of the working secrets of all tenants, after the given one. */
export async function readWorkingSecretPage(
  db: Db,
  { after, limit }: { after: WorkingSecretRow | undefined; limit: number },
): Promise<WorkingSecretRow[]> {
  return db.query<WorkingSecretRow>(sql`
    select tenant_id, client_id, id from openid_client_secrets
    where id > ${after?.id ?? nilUuid}::uuid and coalesce(expires_at > service_now(), true)
    order by id
    limit ${limit}`)
}

/** Lets a secret work until the end of a day at the latest. Without a day, or if it is over, the secret is deleted. */
export async function endSecretWithDay(
  tx: Db,
  { tenant_id, id, day }: { tenant_id: string; id: string; day: string | undefined },
): Promise<void> {
  const deleted = await tx.execute(sql`
    delete from openid_client_secrets
    where tenant_id = ${tenant_id} and id = ${id} and coalesce(${day ?? null}::date < service_day(), true)`)
  if (deleted > 0) return
  await tx.execute(sql`
    update openid_client_secrets
    set expires_at = least(expires_at, ((${day ?? null}::date + 1)::timestamp at time zone 'UTC'))
    where tenant_id = ${tenant_id} and id = ${id}`)
}
