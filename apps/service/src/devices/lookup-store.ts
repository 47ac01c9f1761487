import { type Db, nilUuid } from '../engine/db/index.ts'
import { sql } from '../engine/db/sql.ts'
import type { DeviceOwner, DeviceRow } from './store.ts'

/** Among the newest devices of a tenant in an environment, those whose name or id contains a text. */
export async function findDevicesByText(
  db: Db,
  { tenant_id, environment }: DeviceOwner,
  { text, limit }: { text: string; limit: number },
): Promise<Pick<DeviceRow, 'id' | 'name' | 'status'>[]> {
  return db.query<Pick<DeviceRow, 'id' | 'name' | 'status'>>(sql`
    select id, name, status from (
      select id, name, status, created_at from devices
      where tenant_id = ${tenant_id} and environment = ${environment}
      order by created_at desc, id desc
      limit 10000
    ) newest
    where position(lower(${text}) in lower(name)) > 0 or position(lower(${text}) in id::text) > 0
    order by created_at desc, id desc
    limit ${limit}`)
}

export type DeviceCounts = { usable: number; registered_lately: number }

/** A tenant's devices that are paired or can be, and those registered within a day, each counted up to a maximum. */
export async function countDevices(
  tx: Db,
  tenant_id: string,
  max: { usable: number; registered_lately: number },
): Promise<DeviceCounts> {
  const [row] = await tx.query<DeviceCounts>(sql`
    select
      (select count(*) from (
        (select from devices where tenant_id = ${tenant_id} and status = 'active' limit ${max.usable})
        union all
        (select from devices
          where tenant_id = ${tenant_id} and status = 'pending' and pairing_expires_at > service_now()
          limit ${max.usable})) counted) as usable,
      (select count(*) from (
        select from devices where tenant_id = ${tenant_id} and created_at > service_now() - interval '1 day'
        limit ${max.registered_lately}) counted) as registered_lately`)
  return row ?? { usable: 0, registered_lately: 0 }
}

export type DeviceSummary = {
  paired: boolean
  reused: Pick<DeviceRow, 'id' | 'name' | 'revoked_at'>[]
}

/** Whether a device was ever paired, and the latest devices of the last week that were revoked for a reused token. */
export async function summarizeDevices(
  db: Db,
  { tenant_id, environment, limit }: DeviceOwner & { limit: number },
): Promise<DeviceSummary> {
  const [paired] = await db.query(sql`
    select id from devices
    where tenant_id = ${tenant_id} and environment = ${environment} and enrolled_at is not null
    limit 1`)
  const reused = await db.query<DeviceSummary['reused'][number]>(sql`
    select id, name, revoked_at from devices
    where tenant_id = ${tenant_id} and environment = ${environment} and revoked_by_reuse
      and revoked_at > service_now() - interval '7 days'
    order by revoked_at desc
    limit ${limit}`)
  return { paired: paired !== undefined, reused }
}

/** Some of the tenant's devices, in either environment, that may use a template and are paired or can be. */
export async function readDevicesWithTemplate(
  tx: Db,
  { tenant_id, key, limit }: { tenant_id: string; key: string; limit: number },
): Promise<Pick<DeviceRow, 'name' | 'environment'>[]> {
  return tx.query<Pick<DeviceRow, 'name' | 'environment'>>(sql`
    select name, environment from devices
    where tenant_id = ${tenant_id} and ${key} = any (allowed_templates)
      and (status = 'active' or (status = 'pending' and pairing_expires_at > service_now()))
    order by created_at, id
    limit ${limit}`)
}

/** Of the devices of an environment that are paired or can be. Bounded by the templates of a tenant. */
export async function readAllowedTemplates(
  tx: Db,
  { tenant_id, environment }: DeviceOwner,
): Promise<{ key: string }[]> {
  return tx.query<{ key: string }>(sql`
    select distinct t.key from devices d cross join lateral unnest(d.allowed_templates) as t (key)
    where d.tenant_id = ${tenant_id} and d.environment = ${environment}
      and (d.status = 'active' or (d.status = 'pending' and d.pairing_expires_at > service_now()))
    limit 10000`)
}

/** The names of a tenant's devices, revoked ones too. */
export async function readDeviceNames(
  db: Db,
  { tenant_id, ids }: { tenant_id: string; ids: readonly string[] },
): Promise<{ id: string; name: string }[]> {
  return db.query<{ id: string; name: string }>(sql`
    select id, name from devices where tenant_id = ${tenant_id} and id = any(${ids}::uuid[])`)
}

export type UsableDeviceRow = Pick<DeviceRow, 'tenant_id' | 'id' | 'environment'>

/** A page of the devices of all tenants that are paired or can be, after the given one. */
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

/** Ends the tokens and the pairing code of a device. It is then pending until a member gives it a new code. */
export async function endPairing(tx: Db, { tenant_id, id }: UsableDeviceRow): Promise<void> {
  await tx.execute(sql`
    update devices
    set status = 'pending', enrolled_at = null, tokens_after = service_now(), accepts_later_generation = false,
      pairing_expires_at = least(pairing_expires_at, service_now())
    where tenant_id = ${tenant_id} and id = ${id} and status <> 'revoked'`)
}

/** Lets every paired device use a token of a later generation once. Returns how many devices this changed. */
export async function acceptLaterGenerations(db: Db): Promise<number> {
  return db.execute(sql`
    update devices set accepts_later_generation = true where status = 'active' and not accepts_later_generation`)
}

/** Raises the generation of a paired device, so that its used tokens are recognised as used again. Returns whether it was lower. */
export async function raiseGeneration(
  tx: Db,
  { tenant_id, id, generation }: UsableDeviceRow & { generation: number },
): Promise<boolean> {
  const raised = await tx.execute(sql`
    update devices set generation = ${generation}::integer
    where tenant_id = ${tenant_id} and id = ${id} and status = 'active' and generation < ${generation}::integer`)
  return raised > 0
}
