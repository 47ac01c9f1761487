import type { Db } from '../engine/db/index.ts'
import { Refusal } from '../engine/basics/index.ts'
import { builtInTemplates } from './built-in.ts'
import { lockTemplates } from './store.ts'

/** Throws unless every template exists. None of them can be deleted until the transaction ends. */
export async function keepTemplates(
  tx: Db,
  { tenant_id, keys }: { tenant_id: string; keys: readonly string[] },
): Promise<void> {
  const own = keys.filter((key) => !builtInTemplates.has(key))
  if (own.length === 0) return
  const found = await lockTemplates(tx, { tenant_id, keys: own })
  const unknown = own.find((key) => !found.includes(key))
  if (unknown !== undefined) throw new Refusal('unknown_template', `There is no template ${unknown}.`)
}
