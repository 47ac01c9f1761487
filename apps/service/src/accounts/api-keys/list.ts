import type { Environment } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { readKeys, type KeyRow } from './store.ts'

/** A tenant's keys of one or both environments, newest first, without their secrets. */
export function listKeys(
  { db }: Pick<Context, 'db'>,
  { tenant_id, environment }: { tenant_id: string; environment?: Environment },
): Promise<KeyRow[]> {
  return readKeys(db, { tenant_id, environment: environment ?? null })
}
