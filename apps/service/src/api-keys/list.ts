import type { Context } from '../context.ts'
import { readKeys, type KeyRow } from './store.ts'

/** A tenant's keys, newest first, as far as they may be shown. */
export function listKeys(
  { db }: Pick<Context, 'db'>,
  { tenant_id }: { tenant_id: string },
): Promise<KeyRow[]> {
  return readKeys(db, { tenant_id })
}
