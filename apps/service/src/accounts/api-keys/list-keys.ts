import type { Environment } from '@vidimus/contract'
import { notFound } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import {
  type KeyRow,
  type KeySummary,
  findKey,
  readKeyNames,
  readKeys,
  summarizeKeys as readSummary,
} from './store.ts'

/** A tenant's keys of one or both environments, newest first, without their secrets. */
export function listKeys(
  { db }: Pick<Context, 'db'>,
  { tenant_id, environment }: { tenant_id: string; environment?: Environment },
): Promise<KeyRow[]> {
  return readKeys(db, { tenant_id, environment: environment ?? null })
}

/** One of a tenant's keys, without its secret. */
export async function getKey(
  { db }: Pick<Context, 'db'>,
  { tenant_id, key_id }: { tenant_id: string; key_id: string },
): Promise<KeyRow> {
  const row = await findKey(db, { tenant_id, id: key_id })
  if (row === undefined) throw notFound('key_not_found')
  return row
}

/** The names of those keys that the tenant has, by id. */
export async function nameKeys(
  { db }: Pick<Context, 'db'>,
  tenant_id: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = ids.length === 0 ? [] : await readKeyNames(db, { tenant_id, ids })
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** What the overview shows about a tenant's keys, without reading them all. */
export function summarizeKeys(
  { db }: Pick<Context, 'db'>,
  scope: { tenant_id: string; environment: Environment; limit: number },
): Promise<KeySummary> {
  return readSummary(db, scope)
}
