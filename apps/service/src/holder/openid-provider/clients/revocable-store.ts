import { type Db, nilUuid } from '../../../engine/db/index.ts'
import { sql } from '../../../engine/db/sql.ts'

export type ClientKeyRow = { tenant_id: string; id: string; redirect_uris: string[] }

/** The clients of all tenants that follow one. */
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

export type WorkingSecretRow = { tenant_id: string; client_id: string; id: string }

/** The working secrets of all tenants that follow one. */
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
