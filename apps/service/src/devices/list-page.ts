import type { ListDevices, DevicePage } from '@vidimus/contract'
import type { Context } from '../engine/context.ts'
import { readDevicePage, type DeviceOwner } from './store.ts'
import { viewListedDevice } from './view.ts'

/** A page of a tenant's devices in an environment, newest first. */
export async function listDevicePage(
  { db }: Pick<Context, 'db'>,
  owner: DeviceOwner,
  { limit, before }: ListDevices,
): Promise<DevicePage> {
  const [created_at = '', id = ''] = before?.split('_') ?? []
  const rows = await readDevicePage(db, owner, {
    limit: limit + 1,
    before: before === undefined ? undefined : { created_at, id },
  })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    data: page.map(viewListedDevice),
    ...(rows.length > limit && last !== undefined && { next_before: `${last.created_at}_${last.id}` }),
  }
}
