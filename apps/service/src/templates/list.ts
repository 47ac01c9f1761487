import type { TemplateSummary } from '@vidimus/contract'
import type { Context } from '../engine/context.ts'
import { builtInTemplates } from './built-in/read-built-in.ts'
import { listTemplates as readTemplates } from './store.ts'

/** The built-in templates and, for a tenant, its own. */
export async function listTemplates(
  ctx: Pick<Context, 'db'>,
  tenantId: string | undefined,
): Promise<TemplateSummary[]> {
  const own = tenantId === undefined ? [] : await readTemplates(ctx.db, tenantId)
  return [
    ...Array.from(builtInTemplates, ([key, { template }]) => ({
      key,
      name: template.name,
      description: template.description,
      built_in: true,
    })),
    ...own.map((row) => ({ ...row, built_in: false })),
  ]
}
