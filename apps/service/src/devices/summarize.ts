import type { Context } from '../engine/context.ts'
import { summarizeDevices as readSummary, type DeviceSummary } from './lookup-store.ts'
import type { DeviceOwner } from './store.ts'

/** What the overview shows about a tenant's devices, without reading them all. */
export function summarizeDevices(
  { db }: Pick<Context, 'db'>,
  scope: DeviceOwner & { limit: number },
): Promise<DeviceSummary> {
  return readSummary(db, scope)
}
