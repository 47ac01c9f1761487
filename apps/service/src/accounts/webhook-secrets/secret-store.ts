import type { Environment } from '@vidimus/contract'
import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

type SecretOwner = { tenant_id: string; environment: Environment }

export async function insertSecret(
  tx: Db,
  { tenant_id, environment, sealed }: SecretOwner & { sealed: Buffer },
): Promise<void> {
  await tx.execute(sql`
    insert into webhook_secrets (tenant_id, environment, sealed) values (${tenant_id}, ${environment}, ${sealed})`)
}

/**
 * Lets the current secret of an environment expire in a day, and deletes one that was already expiring. Returns when the current one was
 * created, or nothing if there is no secret.
 * Concurrent rotations wait for this transaction, because they must see the secret it creates.
 */
export async function retireSecrets(tx: Db, { tenant_id, environment }: SecretOwner): Promise<string[]> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended('webhook_secrets ' || ${tenant_id}, 0))`)
  await tx.execute(sql`
    delete from webhook_secrets
    where tenant_id = ${tenant_id} and environment = ${environment} and retires_at is not null`)
  const retired = await tx.query<{ created_at: string }>(sql`
    update webhook_secrets set retires_at = service_now() + interval '24 hours'
    where tenant_id = ${tenant_id} and environment = ${environment}
    returning created_at`)
  return retired.map(({ created_at }) => created_at)
}

export type SealedSecret = SecretOwner & { sealed: Buffer }

/** The active secrets of each tenant and environment, newest first. */
export async function readSecrets(db: Db, owners: readonly SecretOwner[]): Promise<SealedSecret[]> {
  return db.query<SealedSecret>(sql`
    select owner.tenant_id, owner.environment, secret.sealed
    from unnest(
      ${owners.map(({ tenant_id }) => tenant_id)}::uuid[], ${owners.map(({ environment }) => environment)}::text[]
    ) as owner (tenant_id, environment)
    join webhook_secrets secret
      on secret.tenant_id = owner.tenant_id and secret.environment = owner.environment
    where secret.retires_at is null or secret.retires_at > service_now()
    order by owner.tenant_id, owner.environment, secret.retires_at desc nulls first, secret.id desc`)
}

export type SecretState = { created_at: string; previous_retires_at: string | null; now: string }

/** When the current secret of an environment was created, and when the previous one stops signing. */
export async function readSecretState(
  db: Db,
  { tenant_id, environment }: SecretOwner,
): Promise<SecretState | undefined> {
  const [row] = await db.query<SecretState>(sql`
    select max(created_at) filter (where retires_at is null) as created_at,
      max(retires_at) filter (where retires_at > service_now()) as previous_retires_at, service_now() as now
    from webhook_secrets
    where tenant_id = ${tenant_id} and environment = ${environment}
    having count(*) filter (where retires_at is null) > 0`)
  return row
}
