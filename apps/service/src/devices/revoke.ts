import { appendAudit } from '../audit/index.ts'
import type { Context } from '../engine/context.ts'
import { type Principal, notFound } from '../engine/basics/index.ts'
import { findDevice, revokeById, type DeviceRow } from './store.ts'

/** Revokes a device and so all its tokens, which are checked against this row. Revoking again returns the same row. */
export async function revokeDevice(ctx: Context, by: Principal, id: string): Promise<DeviceRow> {
  return ctx.db.transaction(async (tx) => {
    const revoked = await revokeById(tx, by, id)
    if (revoked !== undefined) await appendAudit(tx, { action: 'device.revoked', by, subject: id })
    const device = revoked ?? (await findDevice(tx, by, id))
    if (device === undefined) throw notFound('device_not_found')
    if (revoked !== undefined) await ctx.ledger.record(tx, [{ kind: 'device', id }])
    return device
  })
}
