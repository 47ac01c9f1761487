import { getSealing } from '../../accounts/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { type TemplateContext, readVersion, requireNoInput, resolveTemplate } from '../../templates/index.ts'
import { asksForIdentity } from './compare-identity.ts'

/** Throws a refusal unless holders of this tenant's live results can prove with a template who they are. */
export async function requireErasureTemplate(
  ctx: Pick<TemplateContext, 'db' | 'builtInTemplates'>,
  { tenant_id, key }: { tenant_id: string; key: string },
): Promise<void> {
  const current = await resolveTemplate(ctx, { tenant_id, key })
  if (current === undefined) throw new Refusal('unknown_template', `There is no template ${key}.`)
  await requireNoInput(ctx, { tenant_id, keys: [key] })
  const template = await readVersion(ctx.db, current.version)
  if (template === undefined || !asksForIdentity(template))
    throw new Refusal(
      'invalid_request',
      `erasure_template: ${key} does not identify people. At least one of its documents must show family name, given name and birth date.`,
    )
  if ((await getSealing(ctx, { tenant_id, environment: 'live' })) !== undefined)
    throw new Refusal(
      'sealing_conflict',
      'erasure_template: live results are sealed to your keys, so that the service cannot compare them.',
    )
}
