import { randomBytes } from 'node:crypto'
import {
  type CreateVerificationLink,
  type Environment,
  type VerificationLink,
  defaultDailyLimits,
  maxVerificationLinks,
} from '@vidimus/contract'
import { lockMaker, lockPlanLimits } from '../../accounts/index.ts'
import { type NewAuditEntry, appendAudit } from '../../audit/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { type TemplateContext, keepTemplates, requireNoInput } from '../../templates/index.ts'
import { hashLinkCode, newLinkCode, sealLinkCode } from './link-code.ts'
import { getLink } from './list-links.ts'
import { countLinks, insertLink } from './store.ts'

export type CreateLink = CreateVerificationLink & { by: NewAuditEntry['by']; environment: Environment }

/** Creates a link. Its name, purpose and metadata may name a person, so the audit log has none of them. */
export async function createLink(
  ctx: Pick<TemplateContext, 'builtInTemplates' | 'config' | 'db' | 'keyring'>,
  { by, environment, ...input }: CreateLink,
): Promise<VerificationLink> {
  const { tenant_id } = by
  const { template, single_use } = input
  const id = `vl_${randomBytes(16).toString('base64url')}`
  const code = newLinkCode(ctx.config.CELL)
  const daily_limit = input.daily_limit ?? defaultDailyLimits[single_use ? 'single_use' : 'reusable']
  await requireNoInput(ctx, { tenant_id, keys: [template] })
  await ctx.db.transaction(async (tx) => {
    await lockMaker(tx, by, 'manage_links')
    // The lock also makes a concurrent creation count this link.
    if ((await lockPlanLimits(tx, tenant_id)) === undefined)
      throw new Refusal('not_found', `There is no tenant ${tenant_id}.`)
    if ((await countLinks(tx, tenant_id, maxVerificationLinks)) >= maxVerificationLinks)
      throw new Refusal(
        'too_many',
        `A tenant can have ${maxVerificationLinks} verification links. Delete some that have ended.`,
      )
    await keepTemplates(tx, { tenant_id, keys: [template] })
    await insertLink(tx, {
      id,
      tenant_id,
      environment,
      code_hash: hashLinkCode(code),
      sealed_code: sealLinkCode(ctx.keyring, code),
      name: input.name,
      template,
      purpose: input.purpose ?? null,
      single_use,
      daily_limit,
      redirect_url: input.redirect_url ?? null,
      metadata: input.metadata ?? null,
      mail_results: input.mail_results,
      active: input.active,
      expires_at: input.expires_at ?? null,
    })
    await appendAudit(tx, {
      action: 'link.created',
      by,
      subject: id,
      detail: { environment, template, single_use, daily_limit, mail_results: input.mail_results },
    })
  })
  return getLink(ctx, { tenant_id, environment, id })
}
