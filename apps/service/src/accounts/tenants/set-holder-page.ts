import { type NewAuditEntry, appendAudit } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { Refusal } from '../../engine/basics/index.ts'
import type { HolderPage } from './get-holder-page.ts'
import { updateHolderPage } from './store.ts'

export type SetHolderPage = { by: NewAuditEntry['by'] } & {
  [Name in keyof HolderPage]?: HolderPage[Name] | undefined
}

/** Changes the tenant's settings for pages and the age app. They apply at once, also to open sessions. */
export async function setHolderPage(
  { db }: Pick<Context, 'db'>,
  { by, ...change }: SetHolderPage,
): Promise<HolderPage> {
  return db.transaction(async (tx) => {
    const now = await updateHolderPage(tx, by.tenant_id, change)
    if (now === undefined) throw new Refusal('not_found', `There is no tenant ${by.tenant_id}.`)
    await appendAudit(tx, { action: 'tenant.holder_page_changed', by, detail: { ...change } })
    return now
  })
}
