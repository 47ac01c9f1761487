import type { Device } from '@vidimus/contract'
import type { Context } from '../engine/context.ts'
import type { Principal } from '../engine/basics/index.ts'
import { readDevices } from './store.ts'
import { viewDevice } from './view.ts'

/** The tenant's devices, newest first. The published API has no pages here. */
export async function listAllDevices(
  { db }: Pick<Context, 'db'>,
  principal: Pick<Principal, 'tenant_id' | 'environment'>,
): Promise<Device[]> {
  return (await readDevices(db, principal)).map(viewDevice)
}
