import { type SetHolderPage, getHolderPage, setHolderPage } from '../accounts/index.ts'
import { type TemplateContext, keepTemplates } from '../templates/index.ts'
import { requireErasureTemplate } from '../verifications/index.ts'

/** Changes the settings of the holder's page. A template with which holders are to prove who they are has to identify people. */
export async function changeHolderPage(
  ctx: Pick<TemplateContext, 'db' | 'builtInTemplates'>,
  { by, ...change }: SetHolderPage,
): Promise<void> {
  const { tenant_id } = by
  const { erasure_template: key } = change
  // One that no longer fits is not offered to holders, and does not prevent other changes.
  const isNew = typeof key === 'string' && key !== (await getHolderPage(ctx, tenant_id)).erasure_template
  if (isNew) await requireErasureTemplate(ctx, { tenant_id, key })
  await setHolderPage(ctx, { by, ...change }, async (tx) => {
    if (isNew) await keepTemplates(tx, { tenant_id, keys: [key] })
  })
}
