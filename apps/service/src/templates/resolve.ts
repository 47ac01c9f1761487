import type { Context } from '../context.ts'
import { coalescePerTarget } from '../platform/coalesce.ts'
import type { Database } from '../platform/db/open.ts'
import { builtInTemplates } from './built-in.ts'
import { findTemplates, type TemplateKey } from './store.ts'

/** The current version of a key: a built-in template's or the tenant's own. Undefined if there is none. */
export async function resolveTemplate(
  ctx: Context,
  tenantId: string,
  key: string,
): Promise<Buffer | undefined> {
  return builtInTemplates.get(key)?.hash ?? findTemplate(ctx.db, { tenant_id: tenantId, key })
}

const findTemplate = coalescePerTarget<Database, TemplateKey, Buffer | undefined>({
  maxBatch: 100,
  maxWaiting: 2000,
  async run(db, keys) {
    const found = new Map((await findTemplates(db, keys)).map(({ place, version }) => [place, version]))
    return keys.map((_, index) => found.get(index + 1))
  },
})
