import type { Context } from '../../engine/context.ts'
import { notFound } from '../../engine/basics/index.ts'
import { findKey, type KeyRow } from './store.ts'

/** One of a tenant's keys, without its secret. */
export async function getKey(
  { db }: Pick<Context, 'db'>,
  { tenant_id, key_id }: { tenant_id: string; key_id: string },
): Promise<KeyRow> {
  const row = await findKey(db, { tenant_id, id: key_id })
  if (row === undefined) throw notFound('key_not_found')
  return row
}
