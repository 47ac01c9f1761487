import type { Db } from '../../engine/db/index.ts'
import { sql } from '../../engine/db/sql.ts'

export type PinTry = {
  correct: boolean
  /** Wrong ones in a row. */
  failures: number
  /** How long no PIN is accepted, once there are too many. */
  locked_seconds: number
}

type TryPin = { tenant_id: string; device_id: string; hash: Buffer; max: number; lock_seconds: number }

/** Compares and counts in one statement, so that tries at the same time are all counted. A device without a PIN accepts any. */
export async function tryPin(
  db: Db,
  { tenant_id, device_id, hash, max, lock_seconds }: TryPin,
): Promise<PinTry> {
  const [tried] = await db.query<PinTry>(sql`
    update devices d
    set pin_failures = case when d.pin_hash = ${hash} then 0 when d.pin_failures < ${max} then d.pin_failures + 1 else 1 end,
      pin_failed_at = case when d.pin_hash = ${hash} then null else service_now() end
    where d.tenant_id = ${tenant_id} and d.id = ${device_id} and d.pin_hash is not null
      and (d.pin_failures < ${max} or d.pin_failed_at <= service_now() - ${lock_seconds}::integer * interval '1 second')
    returning d.pin_hash = ${hash} as correct, d.pin_failures as failures, ${lock_seconds}::integer as locked_seconds`)
  if (tried !== undefined) return tried
  const [found] = await db.query<PinTry>(sql`
    select d.pin_hash is null as correct, d.pin_failures as failures,
      greatest(1, ceil(${lock_seconds}::integer - extract(epoch from service_now() - d.pin_failed_at)))::integer as locked_seconds
    from devices d
    where d.tenant_id = ${tenant_id} and d.id = ${device_id}`)
  return found ?? { correct: false, failures: max, locked_seconds: lock_seconds }
}

type TillRow = { keep_awake: boolean; pin: boolean; purpose: string | null }

/** What a till does between checks. Undefined if there is no such device. */
export async function readTill(
  db: Db,
  { tenant_id, device_id }: { tenant_id: string; device_id: string },
): Promise<TillRow | undefined> {
  const [row] = await db.query<TillRow>(sql`
    select keep_awake, purpose, pin_hash is not null as pin from devices
    where tenant_id = ${tenant_id} and id = ${device_id}`)
  return row
}
