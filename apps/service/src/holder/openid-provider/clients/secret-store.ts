import type { Db } from '../../../engine/db/index.ts'
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
