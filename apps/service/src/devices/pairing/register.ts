import { randomUUID } from 'node:crypto'
import type { RegisterDevice } from '@vidimus/contract'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { lockMaker, lockPlanLimits } from '../../accounts/index.ts'
import type { Db } from '../../engine/db/index.ts'
import { type Principal, Refusal } from '../../engine/basics/index.ts'
import { findDisclosingTemplate, keepTemplates, requireTemplates } from '../../templates/index.ts'
import { hashPairingCode, newPairingCode } from './pairing-code.ts'
import { requireReadable } from '../require-readable.ts'
import { countDevices, type DeviceCounts } from '../lookup-store.ts'
import { insertDevice, type DeviceRow } from '../store.ts'

/** Two codes collide once in a trillion, so three collisions in a row do not happen. */
const maxAttempts = 3
const retryAfter_seconds = 3600

/** Registers a device and returns its pairing code, which is shown only once. Its templates must exist (DEV-6), and its maker may read what they disclose. */
export async function registerDevice(
  ctx: Context,
  by: Principal,
  input: RegisterDevice,
): Promise<{ row: DeviceRow; pairing_code: string }> {
  await requireTemplates(ctx, by, input.allowed_templates)
  const disclosing = await findDisclosingTemplate(ctx, { ...by, keys: input.allowed_templates })
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const pairing_code = newPairingCode(ctx.config)
    const registered = await ctx.db.transaction(async (tx) => {
      const maker = await lockMaker(tx, by, 'manage_devices')
      requireReadable(maker.role, disclosing)
      await keepTemplates(tx, { tenant_id: by.tenant_id, keys: input.allowed_templates })
      await enforcePlanLimits(ctx, tx, by.tenant_id)
      const row = await insertDevice(tx, {
        ...input,
        id: randomUUID(),
        tenant_id: by.tenant_id,
        environment: by.environment,
        registered_by: maker.member_id,
        registered_by_key: maker.key_id,
        pairing_hash: hashPairingCode(ctx.keyring, pairing_code),
      })
      if (row !== undefined) await appendAudit(tx, { action: 'device.registered', by, subject: row.id })
      return row
    })
    if (registered !== undefined) return { row: registered, pairing_code }
  }
  throw new Error('could not find an unused pairing code')
}

async function enforcePlanLimits(ctx: Context, tx: Db, tenant_id: string): Promise<void> {
  const { counts, registered_lately } = await enforceDeviceLimit(ctx, tx, tenant_id)
  if (counts.registered_lately >= registered_lately)
    throw new Refusal(
      'quota_exceeded',
      `Your plan allows ${registered_lately} device registrations a day. Try again later.`,
      retryAfter_seconds,
    )
}

/** Refuses another device that is paired or can be. Locks the tenant, so that of two concurrent calls one takes the last place. */
export async function enforceDeviceLimit(
  ctx: Context,
  tx: Db,
  tenant_id: string,
): Promise<{ counts: DeviceCounts; registered_lately: number }> {
  const limits = await lockPlanLimits(ctx, tx, tenant_id)
  if (limits === undefined) throw new Error('the caller has no tenant')
  const { devices: usable, registrations_a_day: registered_lately } = limits
  const counts = await countDevices(tx, tenant_id, { usable, registered_lately })
  if (counts.usable >= usable)
    throw new Refusal('quota_exceeded', `Your plan allows ${usable} devices. Revoke one first.`)
  return { counts, registered_lately }
}
