import type { Context } from '../engine/context.ts'
import { type Principal, Refusal, suggest } from '../engine/basics/index.ts'
import { builtInTemplates } from './built-in.ts'
import { resolveTemplate } from './resolve.ts'
import { listTemplateKeys } from './store.ts'

/** The refusal of a template that does not exist, with the one that was probably meant, of those that the caller may use (DX-1). */
export async function unknownTemplate(
  { db }: Pick<Context, 'db'>,
  principal: Principal,
  key: string,
): Promise<Refusal> {
  const usable =
    principal.kind === 'device'
      ? principal.allowed_templates.filter((each) => each !== key)
      : [...builtInTemplates.keys(), ...(await listTemplateKeys(db, principal.tenant_id))]
  const meant = suggest(key, usable)
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
  return new Refusal('unknown_template', `There is no template ${key}.${hint}`)
}

/** Throws unless every template exists now, so that a misspelt key is not found out at the counter (DEV-6). */
export async function requireTemplates(
  ctx: Pick<Context, 'db'>,
  principal: Principal,
  keys: readonly string[],
): Promise<void> {
  const { tenant_id, change_version } = principal
  const distinct = [...new Set(keys)]
  const versions = await Promise.all(
    distinct.map((key) => resolveTemplate(ctx, { tenant_id, key }, change_version)),
  )
  const unknown = distinct.find((_, index) => versions[index] === undefined)
  if (unknown !== undefined) throw await unknownTemplate(ctx, principal, unknown)
}
