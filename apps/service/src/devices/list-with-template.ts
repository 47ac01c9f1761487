import type { Db } from '../engine/db/index.ts'
import { readDevicesWithTemplate } from './lookup-store.ts'
import type { DeviceRow } from './store.ts'

/** Some of the tenant's devices, in either environment, that may use a template. */
export function listDevicesWithTemplate(
  tx: Db,
  template: { tenant_id: string; key: string; limit: number },
): Promise<Pick<DeviceRow, 'name' | 'environment'>[]> {
  return readDevicesWithTemplate(tx, template)
}
