import type { RenewPairingCode } from '@vidimus/contract'
import { appendAudit } from '../../audit/append.ts'
import type { Context } from '../../context.ts'
import { lockActingMember } from '../../members/lock-member.ts'
import type { Principal } from '../../platform/principal.ts'
import { revokedOrMissing } from '../revoked-or-missing.ts'
import { findDevice, replacePairing, type DeviceRow } from '../store.ts'
import { enforceDeviceLimit } from './register.ts'
import { hashPairingCode, newPairingCode } from './pairing-code.ts'

/**
 * Gives a device a new pairing code, which is shown only once. The previous code and all its tokens stop working at once, and it
 * is pending until it is paired again.
 */
export async function renewPairingCode(
  ctx: Context,
  by: Principal,
  { id, pairing_ttl_seconds }: RenewPairingCode & { id: string },
): Promise<{ row: DeviceRow; pairing_code: string }> {
  const pairing_code = newPairingCode(ctx.config)
  const pairing_hash = hashPairingCode(ctx.keyring, pairing_code)
  const row = await ctx.db.transaction(async (tx) => {
    await lockActingMember(tx, by, 'manage_devices')
    const before = await findDevice(tx, by, id)
    // A device whose code lapsed does not count as one of the plan's until it gets a new code.
    if (before?.lapsed === true) await enforceDeviceLimit(ctx, tx, by.tenant_id)
    const device = await replacePairing(tx, by, { id, pairing_hash, pairing_ttl_seconds })
    if (device === undefined) throw await revokedOrMissing(tx, by, id)
    await appendAudit(tx, { action: 'device.pairing_renewed', by, subject: id })
    await ctx.ledger.record(tx, [{ kind: 'device_pairing', id }])
    return device
  })
  return { row, pairing_code }
}
