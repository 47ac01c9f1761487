import type { Context } from '../../engine/context.ts'
import { readMemberNames } from './store.ts'

/** The names of those members that the tenant has, by id. */
export async function nameMembers(
  { db }: Pick<Context, 'db'>,
  tenant_id: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = ids.length === 0 ? [] : await readMemberNames(db, { tenant_id, ids })
  return new Map(rows.map(({ id, name }) => [id, name]))
}
