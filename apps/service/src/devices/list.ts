import type { Device } from '@vidimus/contract'
import type { Context } from '../context.ts'
import type { Principal } from '../platform/principal.ts'
import { Refusal } from '../platform/refusal.ts'
import { openSlots } from '../platform/slots.ts'
import { listDevices, pageOfDevices } from './store.ts'
import { viewDevice } from './view.ts'

/** A list of more devices is a long one. */
export const maxUsualDevices = 500
/** Long lists that are read at a time. */
export const maxLongDeviceLists = { each: 1, all: 3 }
const longLists = openSlots(maxLongDeviceLists)
/** After a long list its tenant waits for so many times as long as it took, so that it has a tenth of the process at most. */
const restFactor = 9

/** The tenant's devices, newest first. The interface has no pages here, so a long list is bounded by how often it is read. */
export async function listAllDevices(
  { db }: Pick<Context, 'db'>,
  principal: Pick<Principal, 'tenant_id' | 'environment'>,
): Promise<Device[]> {
  const newest = await pageOfDevices(db, principal, { before: undefined, limit: maxUsualDevices + 1 })
  if (newest.length <= maxUsualDevices) return newest.map(viewDevice)

  const freeSlot = longLists.take(principal.tenant_id)
  if (freeSlot === 'each')
    throw new Refusal(
      'rate_limit_exceeded',
      'Another long list of devices is being read. Try again in a moment.',
      1,
    )
  if (freeSlot === 'all')
    throw new Refusal(
      'overloaded',
      'Too many long lists of devices are being read. Try again in a moment.',
      1,
    )
  const start = performance.now()
  try {
    return (await listDevices(db, principal)).map(viewDevice)
  } finally {
    setTimeout(freeSlot, (performance.now() - start) * restFactor).unref()
  }
}
