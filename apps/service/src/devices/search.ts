import type { SearchResults } from '@vidimus/contract'
import type { Context } from '../engine/context.ts'
import { findDevicesByText } from './lookup-store.ts'
import type { DeviceOwner } from './store.ts'

/** A tenant's devices whose name or id contains a text, newest first. */
export async function searchDevices(
  { db }: Pick<Context, 'db'>,
  owner: DeviceOwner,
  search: { text: string; limit: number },
): Promise<SearchResults['devices']> {
  return findDevicesByText(db, owner, search)
}
