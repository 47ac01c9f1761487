import type { RenewPairingCode } from '@vidimus/contract'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { lockMaker } from '../../accounts/index.ts'
import type { Principal } from '../../engine/basics/index.ts'
import { findDisclosingTemplate } from '../../templates/index.ts'
import { requireReadable } from '../require-readable.ts'
import { revokedOrMissing } from '../revoked-or-missing.ts'
import { findDevice, replacePairing, type DeviceRow } from '../store.ts'
import { enforceDeviceLimit } from './register.ts'
import { hashPairingCode, newPairingCode } from './pairing-code.ts'

/**
 * Gives a device a new pairing code, which is shown only once. The previous code and all its tokens stop working at once, and it
 * is pending until it is paired again. Whoever gets the code answers for the device from then on.
 */
export async function renewPairingCode(
  ctx: Context,
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
    // A device whose code lapsed does not count as one of the plan's until it gets a new code.
    if (before?.lapsed === true) await enforceDeviceLimit(ctx, tx, by.tenant_id)
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
