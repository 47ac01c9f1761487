import type { Context } from '../context.ts'
import { listDevices, type DeviceOwner, type DeviceRow } from './store.ts'

/** A tenant's devices in an environment, newest first. */
export function listDeviceRows({ db }: Pick<Context, 'db'>, owner: DeviceOwner): Promise<DeviceRow[]> {
  return listDevices(db, owner)
}
