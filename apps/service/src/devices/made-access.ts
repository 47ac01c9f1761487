import { appendAudit } from '../audit/index.ts'
import { type MadeAccess, environmentOf } from '../accounts/index.ts'
import { readDevicesOfMember, revokeById, updateDeviceMaker } from './store.ts'

/** Devices that are paired, with their tokens, and those whose pairing code works. */
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
