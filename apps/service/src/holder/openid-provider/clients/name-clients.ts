import type { Context } from '../../../engine/context.ts'
import { readClientNames, type ClientRow } from './store.ts'

export type NamedClient = Pick<ClientRow, 'id' | 'name' | 'environment'>

/** Those of the clients that the tenant has, by id. */
export async function nameClients(
  { db }: Pick<Context, 'db'>,
  tenant_id: string,
  ids: readonly string[],
): Promise<Map<string, NamedClient>> {
  const rows = ids.length === 0 ? [] : await readClientNames(db, { tenant_id, ids })
  return new Map(rows.map((client) => [client.id, client]))
}
