import { type MadeAccess, environmentOf } from '../accounts/index.ts'
import { appendAudit } from '../audit/index.ts'
import { type Principal, Refusal, notFound } from '../engine/basics/index.ts'
import type { Context } from '../engine/context.ts'
import type { Db } from '../engine/db/index.ts'
import type { EndedRows } from '../engine/ledger/index.ts'
import { type UsableDeviceRow, endPairing, readUsableDevicePage } from './lookup-store.ts'
import {
  type DeviceOwner,
  type DeviceRow,
  findDevice,
  readDevicesOfMember,
  revokeById,
  updateDeviceMaker,
} from './store.ts'

/** Revokes a device and with it all its tokens, which are checked against this row. Revoking again returns the same row. */
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

/** Why a device cannot be changed. A revoked device stays as it is, so that the audit entries about it stay true. */
export async function revokedOrMissing(tx: Db, owner: DeviceOwner, id: string): Promise<Refusal> {
  const device = await findDevice(tx, owner, id)
  return device === undefined
    ? notFound('device_not_found')
    : new Refusal('device_revoked', 'This device is revoked. Register it again.')
}

/** Devices that were revoked: by a member, with the member who registered them, or because a used token was presented again. */
export const endedDevices: EndedRows<UsableDeviceRow> = {
  kind: 'device',
  readPage: readUsableDevicePage,
  ledgerIds: ({ id }) => [id],
  async end(tx, device) {
    const { tenant_id, id } = device
    await revokeById(tx, device, id)
    await appendAudit(tx, {
      action: 'device.revoked',
      by: { kind: 'operator', tenant_id },
      subject: id,
      detail: { cause: 'restore' },
    })
  },
}

/** Devices that got a new pairing code, which ended their tokens and their previous code. The restore lost the new code: a member issues another. */
export const endedPairings: EndedRows<UsableDeviceRow> = {
  kind: 'device_pairing',
  readPage: readUsableDevicePage,
  ledgerIds: ({ id }) => [id],
  async end(tx, device) {
    const { tenant_id, id } = device
    await endPairing(tx, device)
    await appendAudit(tx, {
      action: 'device.pairing_renewed',
      by: { kind: 'operator', tenant_id },
      subject: id,
      detail: { cause: 'restore' },
    })
  },
}

/** Devices that are paired or have a valid pairing code. */
export const madeDevices: MadeAccess = {
  async list(db, maker) {
    const devices = await readDevicesOfMember(db, maker)
    return devices.map(({ id, name, environment, registered_by_key }) => ({
      id,
      name,
      environment,
      ...(registered_by_key !== null && { made_with_key: true }),
    }))
  },
  async end(tx, item, { by, cause }) {
    const { id } = item
    await revokeById(tx, { tenant_id: by.tenant_id, environment: environmentOf(item) }, id)
    await appendAudit(tx, { action: 'device.revoked', by, subject: id, detail: { cause } })
    return [{ kind: 'device', id }]
  },
  async setMaker(tx, { id }, { tenant_id, member_id }) {
    await updateDeviceMaker(tx, { tenant_id, id, registered_by: member_id })
  },
}
