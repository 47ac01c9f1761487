import { type Db, nilUuid } from '../engine/db/index.ts'
import { sql } from '../engine/db/sql.ts'
import type { DeviceRow } from './store.ts'

export type UsableDeviceRow = Pick<DeviceRow, 'tenant_id' | 'id' | 'environment'>

/** The devices of all tenants that are paired or can be, after one. */
export async function readUsableDevicePage(
  db: Db,
  { after, limit }: { after: UsableDeviceRow | undefined; limit: number },
): Promise<UsableDeviceRow[]> {
  return db.query<UsableDeviceRow>(sql`
    select tenant_id, id, environment from devices
    where (tenant_id, id) > (${after?.tenant_id ?? nilUuid}::uuid, ${after?.id ?? nilUuid}::uuid) and status <> 'revoked'
    order by tenant_id, id
    limit ${limit}`)
}

/** Ends the tokens and the pairing code of a device. It is pending without a valid code, until a member gives it a new one. */
export async function endPairing(tx: Db, { tenant_id, id }: UsableDeviceRow): Promise<void> {
  await tx.execute(sql`
    update devices
    set status = 'pending', enrolled_at = null, tokens_after = service_now(), accepts_later_generation = false,
      pairing_expires_at = least(pairing_expires_at, service_now())
    where tenant_id = ${tenant_id} and id = ${id} and status <> 'revoked'`)
}

/** Lets every paired device present a token of a later generation once. Returns how many could not before. */
export async function acceptLaterGenerations(db: Db): Promise<number> {
  return db.execute(sql`
    update devices set accepts_later_generation = true where status = 'active' and not accepts_later_generation`)
}

/** Raises the generation of a paired device, so that a token that was used is a used one again. Returns whether it was lower. */
export async function raiseGeneration(
  tx: Db,
  { tenant_id, id, generation }: UsableDeviceRow & { generation: number },
): Promise<boolean> {
  const raised = await tx.execute(sql`
    update devices set generation = ${generation}::integer
    where tenant_id = ${tenant_id} and id = ${id} and status = 'active' and generation < ${generation}::integer`)
  return raised > 0
}
