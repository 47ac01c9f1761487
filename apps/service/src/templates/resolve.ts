import type { Context } from '../engine/context.ts'
import { type ChangeVersion, validatedCache } from '../engine/db/index.ts'
import { builtInTemplates } from './built-in.ts'
import { findTemplates, type TemplateKey } from './store.ts'

/**
 * The current version of a key: a built-in template's or the tenant's own. Undefined if there is none. A request that has seen a
 * change version passes it, and needs no statement.
 */
export async function resolveTemplate(
  { db }: Pick<Context, 'db'>,
  template: TemplateKey,
  version?: ChangeVersion,
): Promise<Buffer | undefined> {
  return builtInTemplates.get(template.key)?.hash ?? templates.at(db, version, template)
}

const templates = validatedCache<TemplateKey, Buffer>({
  maxBatch: 100,
  maxWaiting: 2000,
  nameOf: ({ tenant_id, key }) => `${tenant_id} ${key}`,
  async read(db, keys) {
    const { moment, rows } = await findTemplates(db, keys)
    const byPlace = new Map(rows.map(({ place, version }) => [place, version]))
    return { moment, values: keys.map((_, index) => byPlace.get(index + 1)) }
  },
})
