import type { ChangeVerificationLink, VerificationLink } from '@vidimus/contract'
import { lockMaker } from '../../accounts/index.ts'
import { type NewAuditEntry, appendAudit } from '../../audit/index.ts'
import { notFound } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { type TemplateContext, keepTemplates, requireNoInput } from '../../templates/index.ts'
import { getLink } from './list-links.ts'
import {
  type LinkKey,
  type LinkRow,
  type LinkSettings,
  deleteLinkRow,
  lockLink,
  updateLink,
} from './store.ts'

type ChangeLink = Omit<LinkKey, 'tenant_id'> & { by: NewAuditEntry['by']; change: ChangeVerificationLink }

/** Changes a link. It applies to the next visit; a verification that has begun stays as it is. */
export async function changeLink(
  ctx: Pick<TemplateContext, 'builtInTemplates' | 'config' | 'db' | 'keyring'>,
  { by, id, environment, change }: ChangeLink,
): Promise<VerificationLink> {
  const key = { tenant_id: by.tenant_id, id, environment }
  if (change.template !== undefined)
    await requireNoInput(ctx, { tenant_id: by.tenant_id, keys: [change.template] })
  await ctx.db.transaction(async (tx) => {
    await lockMaker(tx, by, 'manage_links')
    if (change.template !== undefined)
      await keepTemplates(tx, { tenant_id: by.tenant_id, keys: [change.template] })
    const link = await lockLink(tx, key)
    if (link === undefined) throw notFound('link_not_found')
    const to = merge(link, change)
    await updateLink(tx, key, to)
    await appendAudit(tx, {
      action: 'link.changed',
      by,
      subject: id,
      detail: {
        environment,
        changed: Object.keys(change).toSorted(),
        template: to.template,
        active: to.active,
        daily_limit: to.daily_limit,
        mail_results: to.mail_results,
      },
    })
  })
  return getLink(ctx, key)
}

function merge(link: LinkRow, change: ChangeVerificationLink): LinkSettings {
  const { name, template, purpose, daily_limit, expires_at, redirect_url, metadata, mail_results, active } =
    link
  const before = {
    name,
    template,
    purpose,
    daily_limit,
    expires_at,
    redirect_url,
    metadata,
    mail_results,
    active,
  }
  const given = Object.entries(change).filter(([, value]) => value !== undefined)
  return { ...before, ...Object.fromEntries(given) }
}

/** Deletes a link for good. Nobody finds it any more; its verifications stay, and those in progress can be completed. */
export async function deleteLink(
  { db, ledger }: Pick<Context, 'db' | 'ledger'>,
  { by, id, environment }: Omit<LinkKey, 'tenant_id'> & { by: NewAuditEntry['by'] },
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockMaker(tx, by, 'manage_links')
    if (!(await deleteLinkRow(tx, { tenant_id: by.tenant_id, id, environment })))
      throw notFound('link_not_found')
    await appendAudit(tx, { action: 'link.deleted', by, subject: id, detail: { environment } })
    await ledger.record(tx, [{ kind: 'verification_link', id }])
  })
}
