import type { Environment, Role } from '@vidimus/contract'
import { type Db, type AsOf, oneOf, queryWithAsOf } from '../engine/db/index.ts'
import { sql } from '../engine/db/sql.ts'

/** What the published API shows. A list of thousands reads no more. */
export type ShownDeviceRow = {
  id: string
  name: string
  status: 'pending' | 'active' | 'revoked'
  allowed_templates: string[]
  created_at: string
  pairing_expires_at: string
  enrolled_at: string | null
  last_seen_at: string | null
  revoked_at: string | null
}

export type DeviceRow = ShownDeviceRow & {
  tenant_id: string
  environment: Environment
  /** The member who registered it or gave it its pairing code, also through an API key of theirs. */
  registered_by: string | null
  registered_by_key: string | null
  generation: number
  revoked_by_reuse: boolean
  /** The pairing code expired unused. */
  expired: boolean
  /** Whether it has one. */
  pin: boolean
  keep_awake: boolean
  purpose: string | null
  /** When tokens that are issued now count as issued: later than the end of tokens from before a new pairing code. */
  now_seconds: number
}

const shownColumns = sql`
  id, name, status, allowed_templates, created_at, pairing_expires_at, enrolled_at, last_seen_at, revoked_at`

const columns = sql`
  ${shownColumns}, tenant_id, environment, registered_by, registered_by_key, generation, revoked_by_reuse,
  pin_hash is not null as pin, keep_awake, purpose,
  status = 'pending' and pairing_expires_at <= service_now() as expired,
  greatest(floor(extract(epoch from service_now())), floor(extract(epoch from tokens_after)) + 1)::bigint as now_seconds`

type DeviceMaker = Pick<DeviceRow, 'registered_by' | 'registered_by_key'>

export type NewDevice = DeviceMaker &
  Pick<DeviceRow, 'id' | 'tenant_id' | 'environment' | 'name' | 'allowed_templates'> & {
    pairing_hash: Buffer
    pairing_ttl_seconds: number
  }

/** Undefined if the pairing code is already in use. */
export async function insertDevice(tx: Db, device: NewDevice): Promise<DeviceRow | undefined> {
  const [row] = await tx.query<DeviceRow>(sql`
    insert into devices (
      tenant_id, id, environment, name, allowed_templates, pairing_hash, registered_by, registered_by_key, created_at,
      pairing_expires_at)
    select ${device.tenant_id}::uuid, ${device.id}::uuid, ${device.environment}, ${device.name},
      ${device.allowed_templates}::text[], ${device.pairing_hash}::bytea, ${device.registered_by}::uuid, ${device.registered_by_key}::uuid, now,
      now + ${device.pairing_ttl_seconds}::integer * interval '1 second'
    from service_now() as now
    on conflict (pairing_hash) do nothing
    returning ${columns}`)
  return row
}

export type DeviceOwner = { tenant_id: string; environment: Environment }

/** The list has all paired devices and this many of the newest, of any status. */
const maxNewest = 1000

/** A tenant's devices in an environment, newest first: all paired devices and the newest of the others. */
export async function readDevices(
  db: Db,
  { tenant_id, environment }: DeviceOwner,
): Promise<ShownDeviceRow[]> {
  return db.query<ShownDeviceRow>(sql`
    select ${shownColumns} from devices
    where id in (
      (select id from devices where tenant_id = ${tenant_id} and environment = ${environment} and status = 'active'
        limit 10000)
      union
      (select id from devices where tenant_id = ${tenant_id} and environment = ${environment}
        order by created_at desc, id desc limit ${maxNewest}))
    order by created_at desc, id desc`)
}

/** A page of a tenant's devices of any status. */
export async function readDevicePage(
  db: Db,
  { tenant_id, environment }: DeviceOwner,
  { before, limit }: { before: { created_at: string; id: string } | undefined; limit: number },
): Promise<DeviceRow[]> {
  return db.query<DeviceRow>(sql`
    select ${columns} from devices
    where tenant_id = ${tenant_id} and environment = ${environment}
      and (created_at, id) < (${before?.created_at ?? 'infinity'}::timestamptz, ${before?.id ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff'}::uuid)
    order by created_at desc, id desc
    limit ${limit}`)
}

/** Claims a valid pairing code. Of two concurrent claims, one finds the device pending. */
export async function claimPairing(tx: Db, pairingHash: Buffer): Promise<DeviceRow | undefined> {
  const [row] = await tx.query<DeviceRow>(sql`
    update devices set status = 'active', enrolled_at = service_now(), generation = generation + 1
    where pairing_hash = ${pairingHash} and status = 'pending' and pairing_expires_at > service_now()
    returning ${columns}`)
  return row
}

/** Whether the code was ever issued. A used or expired code does not count as a guess. */
export async function wasIssued(tx: Db, pairingHash: Buffer): Promise<boolean> {
  const rows = await tx.query(sql`select 1 as issued from devices where pairing_hash = ${pairingHash}`)
  return rows.length > 0
}

/**
 * Uses the refresh token of a generation. Undefined if it has expired or is not current, or the device is not active. After a restore,
 * one genuine token of a later generation is current too (ADR 22).
 */
export async function spendGeneration(
  tx: Db,
  { device_id, generation, expires_at }: { device_id: string; generation: number; expires_at: number },
): Promise<DeviceRow | undefined> {
  const [row] = await tx.query<DeviceRow>(sql`
    update devices
    set generation = ${generation}::integer + 1, last_seen_at = service_now(), accepts_later_generation = false
    where id = ${device_id} and status = 'active'
      and (generation = ${generation} or (accepts_later_generation and generation < ${generation}))
      and to_timestamp(${expires_at}::bigint) > service_now()
    returning ${columns}`)
  return row
}

/**
 * Revokes a device whose used token was presented again. Undefined if the device was not active, or the token is unused or from
 * before the current pairing: a tablet that was replaced may still have it.
 */
export async function revokeReused(
  tx: Db,
  { device_id, generation, issued_at }: { device_id: string; generation: number; issued_at: number },
): Promise<DeviceRow | undefined> {
  const [row] = await tx.query<DeviceRow>(sql`
    update devices set status = 'revoked', revoked_at = service_now(), revoked_by_reuse = true
    where id = ${device_id} and status = 'active' and generation > ${generation}
      and ${issued_at}::bigint > coalesce(floor(extract(epoch from tokens_after)), -1)
    returning ${columns}`)
  return row
}

/** Undefined if there is no such device, or it was revoked before. */
export async function revokeById(
  tx: Db,
  { tenant_id, environment }: DeviceOwner,
  id: string,
): Promise<DeviceRow | undefined> {
  const [row] = await tx.query<DeviceRow>(sql`
    update devices set status = 'revoked', revoked_at = service_now()
    where tenant_id = ${tenant_id} and environment = ${environment} and id = ${id} and status <> 'revoked'
    returning ${columns}`)
  return row
}

/** The devices of a member, also of their API keys, that are paired or can be. */
export async function readDevicesOfMember(
  db: Db,
  { tenant_id, member_id }: { tenant_id: string; member_id: string },
): Promise<DeviceRow[]> {
  return db.query<DeviceRow>(sql`
    select ${columns} from devices
    where tenant_id = ${tenant_id} and registered_by = ${member_id} and status <> 'revoked'
      and (status = 'active' or pairing_expires_at > service_now())
    order by created_at, id
    limit 10000`)
}

export async function updateDeviceMaker(
  tx: Db,
  { tenant_id, id, registered_by }: { tenant_id: string; id: string; registered_by: string | null },
): Promise<void> {
  await tx.execute(sql`
    update devices set registered_by = ${registered_by}::uuid, registered_by_key = null
    where tenant_id = ${tenant_id} and id = ${id}`)
}

/** Absent members stay unchanged. Undefined if there is no such device, or it is revoked. */
export async function updateDevice(
  tx: Db,
  { tenant_id, environment }: DeviceOwner,
  { id, name = null, allowed_templates = null, pin_hash, keep_awake = null, purpose }: DeviceChange,
): Promise<DeviceRow | undefined> {
  const [row] = await tx.query<DeviceRow>(sql`
    update devices
    set name = coalesce(${name}::text, name), allowed_templates = coalesce(${allowed_templates}::text[], allowed_templates),
      keep_awake = coalesce(${keep_awake}::boolean, keep_awake),
      purpose = case when ${purpose !== undefined}::boolean then ${purpose ?? null}::text else purpose end,
      pin_hash = case when ${pin_hash !== undefined}::boolean then ${pin_hash ?? null}::bytea else pin_hash end,
      pin_failures = case when ${pin_hash !== undefined}::boolean then 0 else pin_failures end
    where tenant_id = ${tenant_id} and environment = ${environment} and id = ${id} and status <> 'revoked'
    returning ${columns}`)
  return row
}

export type DeviceChange = {
  id: string
  name?: string | null | undefined
  allowed_templates?: string[] | null | undefined
  /** Null removes it. */
  pin_hash?: Buffer | null | undefined
  keep_awake?: boolean | null | undefined
  /** Null removes it. */
  purpose?: string | null | undefined
}

/**
 * Gives a device a new pairing code and ends its tokens: refresh tokens, because the generation of the next pairing is a new
 * one, and access tokens, because they were issued before. Undefined if there is no such device, or it is revoked.
 */
export async function replacePairing(
  tx: Db,
  { tenant_id, environment }: DeviceOwner,
  pairing: DeviceMaker & Pick<NewDevice, 'id' | 'pairing_hash' | 'pairing_ttl_seconds'>,
): Promise<DeviceRow | undefined> {
  const [row] = await tx.query<DeviceRow>(sql`
    update devices
    set status = 'pending', pairing_hash = ${pairing.pairing_hash}, enrolled_at = null, tokens_after = service_now(),
      accepts_later_generation = false,
      pairing_expires_at = service_now() + ${pairing.pairing_ttl_seconds}::integer * interval '1 second',
      registered_by = ${pairing.registered_by}::uuid, registered_by_key = ${pairing.registered_by_key}::uuid
    where tenant_id = ${tenant_id} and environment = ${environment} and id = ${pairing.id} and status <> 'revoked'
    returning ${columns}`)
  return row
}

export async function findDevice(
  db: Db,
  { tenant_id, environment }: DeviceOwner,
  id: string,
): Promise<DeviceRow | undefined> {
  const [row] = await db.query<DeviceRow>(sql`
    select ${columns} from devices
    where tenant_id = ${tenant_id} and environment = ${environment} and id = ${id}`)
  return row
}

export type ActiveDevice = Pick<
  DeviceRow,
  'id' | 'tenant_id' | 'environment' | 'name' | 'allowed_templates'
> & {
  /** Access tokens issued up to this second are refused. Null: none are. */
  tokens_after_seconds: number | null
  /** The role of the member who registered it. Null: an operator did, or it was kept when the member was removed. */
  maker_role: Role | null
}

/** The active devices with these ids, which come from verified tokens. */
export async function findActiveDevices(
  db: Db,
  ids: string[],
): Promise<{ asOf: AsOf; rows: ActiveDevice[] }> {
  return queryWithAsOf<ActiveDevice>(
    db,
    sql`
    select id, tenant_id, environment, name, allowed_templates,
      floor(extract(epoch from tokens_after))::bigint as tokens_after_seconds,
      (select m.role from members m where m.tenant_id = devices.tenant_id and m.id = devices.registered_by) as maker_role
    from devices
    where id = ${oneOf(sql`${ids}::uuid[]`)} and status = 'active'`,
  )
}

export async function markSeen(db: Db, ids: string[]): Promise<void> {
  await db.execute(sql`update devices set last_seen_at = service_now() where id = any (${ids}::uuid[])`)
}
