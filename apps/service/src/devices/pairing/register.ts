import { randomInt, randomUUID } from 'node:crypto'
import type { RegisterDevice, RenewPairingCode } from '@vidimus/contract'
import { lockMaker, lockPlanLimits, requireUnsealed } from '../../accounts/index.ts'
import { appendAudit } from '../../audit/index.ts'
import { type Principal, Refusal } from '../../engine/basics/index.ts'
import type { Config } from '../../engine/config/index.ts'
import type { Db } from '../../engine/db/index.ts'
import type { Keyring } from '../../engine/keyring/index.ts'
import {
  type TemplateContext,
  findDisclosingTemplate,
  keepTemplates,
  requireTemplates,
} from '../../templates/index.ts'
import { requireReadable, tillCannotShow } from '../change-device.ts'
import { type DeviceCounts, countDevices } from '../lookup-store.ts'
import { revokedOrMissing } from '../revoke-device.ts'
import { type DeviceRow, findDevice, insertDevice, replacePairing } from '../store.ts'

/** Two codes collide once in a trillion, so three collisions in a row do not happen. */
const maxAttempts = 3
const retryAfter_seconds = 3600

/** Registers a device and returns its pairing code, which is shown only once. Its templates must exist, and its maker may read what they disclose. */
export async function registerDevice(
  ctx: TemplateContext,
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
      if (disclosing !== undefined) await requireUnsealed(tx, by, tillCannotShow(disclosing))
      await keepTemplates(tx, { tenant_id: by.tenant_id, keys: input.allowed_templates })
      await enforcePlanLimits(tx, by.tenant_id)
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

async function enforcePlanLimits(tx: Db, tenant_id: string): Promise<void> {
  const { counts, registered_lately } = await enforceDeviceLimit(tx, tenant_id)
  if (counts.registered_lately >= registered_lately)
    throw new Refusal(
      'quota_exceeded',
      `Your plan allows ${registered_lately} device registrations a day. Try again later.`,
      retryAfter_seconds,
    )
}

/** Refuses another device that is paired or can be. Locks the tenant, so that of two concurrent calls one takes the last place. */
async function enforceDeviceLimit(
  tx: Db,
  tenant_id: string,
): Promise<{ counts: DeviceCounts; registered_lately: number }> {
  const limits = await lockPlanLimits(tx, tenant_id)
  if (limits === undefined) throw new Error('the caller has no tenant')
  const { devices: usable, registrations_a_day: registered_lately } = limits
  const counts = await countDevices(tx, tenant_id, { usable, registered_lately })
  if (counts.usable >= usable)
    throw new Refusal('quota_exceeded', `Your plan allows ${usable} devices. Revoke one first.`)
  return { counts, registered_lately }
}

/**
 * Gives a device a new pairing code, which is shown only once. The previous code and all its tokens stop working at once, and it
 * is pending until it is paired again. The member who requests the code is responsible for the device from then on.
 */
export async function renewPairingCode(
  ctx: TemplateContext,
  by: Principal,
  { id, pairing_ttl_seconds }: RenewPairingCode & { id: string },
): Promise<{ row: DeviceRow; pairing_code: string }> {
  const pairing_code = newPairingCode(ctx.config)
  const pairing_hash = hashPairingCode(ctx.keyring, pairing_code)
  const keys = (await findDevice(ctx.db, by, id))?.allowed_templates ?? []
  const disclosing = await findDisclosingTemplate(ctx, { tenant_id: by.tenant_id, keys })
  const row = await ctx.db.transaction(async (tx) => {
    const maker = await lockMaker(tx, by, 'manage_devices')
    requireReadable(maker.role, disclosing)
    const before = await findDevice(tx, by, id)
    // A device whose code expired does not count against the plan until it gets a new code.
    if (before?.expired === true) await enforceDeviceLimit(tx, by.tenant_id)
    const device = await replacePairing(tx, by, {
      id,
      pairing_hash,
      pairing_ttl_seconds,
      registered_by: maker.member_id,
      registered_by_key: maker.key_id,
    })
    if (device === undefined) throw await revokedOrMissing(tx, by, id)
    await appendAudit(tx, { action: 'device.pairing_renewed', by, subject: id })
    await ctx.ledger.record(tx, [{ kind: 'device_pairing', id }])
    return device
  })
  return { row, pairing_code }
}

/** Crockford's base 32, without I, L, O and U. Eight characters have 40 bits. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const lookAlikes: Readonly<Record<string, string>> = { I: '1', L: '1', O: '0' }
const length = 8

/**
 * A new code as it is displayed: `VD-XXXX-XXXX`. Among several cells its first character is the cell, so that a router can find it;
 * 35 bits remain.
 */
export function newPairingCode({ CELL, CELLS }: Pick<Config, 'CELL' | 'CELLS'>): string {
  const random = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')
  const characters = CELLS === undefined ? random : CELL.toUpperCase() + random.slice(1)
  return `VD-${characters.slice(0, 4)}-${characters.slice(4)}`
}

/** What is stored of a code. 40 bits can be brute-forced, so the hash is keyed with a key from outside the database. */
export function hashPairingCode(keyring: Keyring, code: string): Buffer {
  return keyring.mac('pairing code', normalize(code))
}

/** Ignores case, dashes, spaces, similar characters and a missing prefix. */
function normalize(code: string): string {
  const plain = code
    .toUpperCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll(/[ILO]/g, (letter) => lookAlikes[letter] ?? letter)
  return plain.length === length + 2 && plain.startsWith('VD') ? plain.slice(2) : plain
}
