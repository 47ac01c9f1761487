import type { Context } from '../engine/context.ts'
import { readDeviceNames } from './lookup-store.ts'

/** The names of those devices that the tenant has, by id. */
export async function nameDevices(
  { db }: Pick<Context, 'db'>,
  tenant_id: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = ids.length === 0 ? [] : await readDeviceNames(db, { tenant_id, ids })
  return new Map(rows.map(({ id, name }) => [id, name]))
}
