import type {
  Environment,
  LinkState,
  ListVerificationLinks,
  VerificationLink,
  VerificationLinkPage,
} from '@vidimus/contract'
import { notFound } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { unsealLinkCode } from './link-code.ts'
import { type LinkKey, type LinkRow, readLink, readLinks, readLinksWithTemplate } from './store.ts'

type LinkContext = Pick<Context, 'config' | 'db' | 'keyring'>

/** A tenant's links of an environment, newest first. */
export async function listLinks(
  ctx: LinkContext,
  {
    tenant_id,
    environment,
    limit,
    before = null,
  }: { tenant_id: string; environment: Environment } & Omit<ListVerificationLinks, 'before'> & {
      before?: string | null | undefined
    },
): Promise<VerificationLinkPage> {
  const rows = await readLinks(ctx.db, { tenant_id, environment, before, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    data: await Promise.all(page.map((row) => viewLink(ctx, row))),
    ...(rows.length > limit && last !== undefined && { next_before: last.created_at }),
  }
}

export async function getLink(ctx: LinkContext, key: LinkKey): Promise<VerificationLink> {
  const row = await readLink(ctx.db, key)
  if (row === undefined) throw notFound('link_not_found')
  return viewLink(ctx, row)
}

/** Some of the tenant's links, in either environment, that ask with a template. */
export function listLinksWithTemplate(
  tx: Db,
  template: { tenant_id: string; key: string; limit: number },
): Promise<Pick<LinkRow, 'name' | 'environment'>[]> {
  return readLinksWithTemplate(tx, template)
}

export function linkState({
  active,
  expired,
  used_at,
}: Pick<LinkRow, 'active' | 'expired' | 'used_at'>): LinkState {
  if (used_at !== null) return 'used'
  if (expired) return 'expired'
  return active ? 'active' : 'inactive'
}

async function viewLink({ config, keyring }: LinkContext, row: LinkRow): Promise<VerificationLink> {
  const code = await unsealLinkCode(keyring, row.sealed_code)
  return {
    id: row.id,
    url: `${config.BASE_URL}/v/${code}`,
    environment: row.environment,
    name: row.name,
    template: row.template,
    ...(row.purpose !== null && { purpose: row.purpose }),
    single_use: row.single_use,
    daily_limit: row.daily_limit,
    created_today: row.created_today,
    ...(row.redirect_url !== null && { redirect_url: row.redirect_url }),
    ...(row.metadata !== null && { metadata: row.metadata }),
    mail_results: row.mail_results,
    active: row.active,
    state: linkState(row),
    ...(row.expires_at !== null && { expires_at: row.expires_at }),
    ...(row.used_at !== null && { used_at: row.used_at }),
    created_at: row.created_at,
  }
}
