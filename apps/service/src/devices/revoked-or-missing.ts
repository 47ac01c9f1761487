import type { Db } from '../engine/db/index.ts'
import { Refusal, notFound } from '../engine/basics/index.ts'
import { findDevice, type DeviceOwner } from './store.ts'

/** Why a device cannot be changed: a revoked one stays as it is, so that the audit log's entries about it stay true. */
export async function revokedOrMissing(tx: Db, owner: DeviceOwner, id: string): Promise<Refusal> {
  const device = await findDevice(tx, owner, id)
  return device === undefined
    ? notFound('device_not_found')
    : new Refusal('device_revoked', 'This device is revoked. Register it again.')
}
