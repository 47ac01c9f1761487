import type { Db } from '../../platform/db/open.ts'
import { sql } from '../../platform/db/sql.ts'

export async function insertSecret(
  tx: Db,
  { tenant_id, sealed }: { tenant_id: string; sealed: Buffer },
): Promise<void> {
  await tx.execute(sql`insert into webhook_secrets (tenant_id, sealed) values (${tenant_id}, ${sealed})`)
}

/**
 * Lets the current secret expire in a day, and deletes one that was already expiring. False if the tenant has none. Concurrent
 * rotations wait for this transaction, because they must see the secret it creates.
 */
export async function retireSecrets(tx: Db, tenant_id: string): Promise<boolean> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('webhook_secrets ' || ${tenant_id}, 0))`)
  await tx.execute(sql`delete from webhook_secrets where tenant_id = ${tenant_id} and retires_at is not null`)
  const retired = await tx.execute(sql`
    update webhook_secrets set retires_at = service_now() + interval '24 hours'
    where tenant_id = ${tenant_id}`)
  return retired > 0
}

export type SealedSecret = { tenant_id: string; sealed: Buffer }

/** The active secrets, each tenant's newest first. */
export async function readSecrets(db: Db, tenant_ids: readonly string[]): Promise<SealedSecret[]> {
  return db.query<SealedSecret>(sql`
    select tenant_id, sealed from webhook_secrets
    where tenant_id = any(${tenant_ids}::uuid[]) and (retires_at is null or retires_at > service_now())
    order by tenant_id, retires_at desc nulls first`)
}

export type SecretState = { created_at: string; previous_retires_at: string | null; now: string }

/** When the current secret was created, and when the previous one stops signing. */
export async function readSecretState(db: Db, tenant_id: string): Promise<SecretState | undefined> {
  const [row] = await db.query<SecretState>(sql`
    select max(created_at) filter (where retires_at is null) as created_at,
      max(retires_at) filter (where retires_at > service_now()) as previous_retires_at, service_now() as now
    from webhook_secrets
    where tenant_id = ${tenant_id}
    having count(*) filter (where retires_at is null) > 0`)
  return row
}
