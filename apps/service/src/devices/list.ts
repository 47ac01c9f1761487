import type { Device } from '@vidimus/contract'
import type { Context } from '../context.ts'
import type { Principal } from '../platform/principal.ts'
import { Refusal } from '../platform/refusal.ts'
import { openSlots } from '../platform/slots.ts'
import { readDevices, readDevicePage } from './store.ts'
import { viewDevice } from './view.ts'

/** A list of more devices is a long one. */
export const longListThreshold = 500
/** Long lists that are read at a time. */
export const maxLongDeviceLists = { each: 1, all: 3 }
const longListSlots = openSlots(maxLongDeviceLists)
/** After a long list its tenant waits for so many times as long as it took, so that it has a tenth of the process at most. */
const cooldownFactor = 9

/** The tenant's devices, newest first. The interface has no pages here, so a long list is bounded by how often it is read. */
export async function listAllDevices(
  { db }: Pick<Context, 'db'>,
  principal: Pick<Principal, 'tenant_id' | 'environment'>,
): Promise<Device[]> {
  const newest = await readDevicePage(db, principal, { before: undefined, limit: longListThreshold + 1 })
  if (newest.length <= longListThreshold) return newest.map(viewDevice)

  const releaseSlot = longListSlots.take(principal.tenant_id)
  if (releaseSlot === 'each')
    throw new Refusal(
      'rate_limit_exceeded',
      'Another long list of devices is being read. Try again in a moment.',
      1,
    )
  if (releaseSlot === 'all')
    throw new Refusal(
      'overloaded',
      'Too many long lists of devices are being read. Try again in a moment.',
      1,
    )
  const startedAt_ms = performance.now()
  try {
    return (await readDevices(db, principal)).map(viewDevice)
  } finally {
    setTimeout(releaseSlot, (performance.now() - startedAt_ms) * cooldownFactor).unref()
  }
}
