import type { Device } from '@vidimus/contract'
import type { Context } from '../context.ts'
import type { Principal } from '../platform/principal.ts'
import { openSlots } from '../platform/slots.ts'
import { takeReadSlot } from '../platform/take-read-slot.ts'
import { readDevices, readDevicePage } from './store.ts'
import { viewDevice } from './view.ts'

/** A list with more devices counts as long. */
export const longListThreshold = 500
/** Concurrent reads of long lists. */
export const maxLongDeviceLists = { each: 1, all: 3 }
const longListSlots = openSlots(maxLongDeviceLists)
/** After a long list the tenant waits this many times as long as it took, so that it uses a tenth of the process at most. */
const cooldownFactor = 9

/** The tenant's devices, newest first. The published API has no pages here, so the rate of long lists is limited instead. */
export async function listAllDevices(
  { db }: Pick<Context, 'db'>,
  principal: Pick<Principal, 'tenant_id' | 'environment'>,
): Promise<Device[]> {
  const newest = await readDevicePage(db, principal, { before: undefined, limit: longListThreshold + 1 })
  if (newest.length <= longListThreshold) return newest.map(viewDevice)

  const releaseSlot = takeReadSlot(longListSlots, principal.tenant_id, 'long device list')
  const startedAt_ms = performance.now()
  try {
    return (await readDevices(db, principal)).map(viewDevice)
  } finally {
    setTimeout(releaseSlot, (performance.now() - startedAt_ms) * cooldownFactor).unref()
  }
}
