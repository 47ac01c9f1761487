import { appendAudit } from '../audit/index.ts'
import type { Revocable } from '../engine/ledger/index.ts'
import { endPairing, readUsableDevicePage, type UsableDeviceRow } from './revocable-store.ts'
import { revokeById } from './store.ts'

/** Devices that were revoked: by a member, with the member who registered them, or because a used token was presented again. */
export const revocableDevices: Revocable<UsableDeviceRow> = {
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

/** Devices that got a new pairing code, which ended their tokens and the code before. The new code is lost: a member gives another. */
export const revocablePairings: Revocable<UsableDeviceRow> = {
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
