import type { Brand } from '@vidimus/contract'
import { type NewAuditEntry, appendAudit } from '../../audit/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import type { ChangeVersion, Db } from '../../engine/db/index.ts'
import { type HolderPageRow, readBrand, updateBrand, updateHolderPage } from './settings-store.ts'
import { getTenantSettings } from './tenant-settings.ts'

/** What holders see about the tenant, as far as the tenant has set it. */
export async function getBrand({ db }: Pick<Context, 'db'>, tenant_id: string): Promise<Brand> {
  return (await readBrand(db, tenant_id)) ?? {}
}

/** Replaces what holders see about the tenant. Members that are left out are removed. */
export async function setBrand(
  { db }: Pick<Context, 'db'>,
  { by, brand }: { by: NewAuditEntry['by']; brand: Brand },
): Promise<void> {
  await db.transaction(async (tx) => {
    const updated = await updateBrand(tx, { id: by.tenant_id, brand })
    if (!updated) throw new Refusal('not_found', `There is no tenant ${by.tenant_id}.`)
    await appendAudit(tx, {
      action: 'tenant.brand_changed',
      by,
      detail: { set: Object.keys(brand).toSorted() },
    })
  })
}

export type HolderPage = HolderPageRow

/** The tenant's current settings for pages, links, the age app, languages and erasure. A request that has read a change version passes it, which saves a query. */
export async function getHolderPage(
  { db }: Pick<Context, 'db'>,
  tenantId: string,
  version?: ChangeVersion,
): Promise<HolderPage> {
  const settings = await getTenantSettings(db, tenantId, version)
  const { page_origins, wallet_links, age_app, moving_code, edited_languages_only } = settings
  const { holder_erasure, erasure_template } = settings
  return {
    page_origins,
    wallet_links,
    age_app,
    moving_code,
    edited_languages_only,
    holder_erasure,
    erasure_template,
  }
}

export type SetHolderPage = { by: NewAuditEntry['by'] } & {
  [Name in keyof HolderPage]?: HolderPage[Name] | undefined
}

/**
 * Changes the tenant's settings for pages, links, the age app, languages and erasure. They apply at once, also to open verifications.
 * `first` runs in the same transaction.
 */
export async function setHolderPage(
  { db }: Pick<Context, 'db'>,
  { by, ...change }: SetHolderPage,
  first?: (tx: Db) => Promise<void>,
): Promise<HolderPage> {
  return db.transaction(async (tx) => {
    await first?.(tx)
    const now = await updateHolderPage(tx, by.tenant_id, change)
    if (now === undefined) throw new Refusal('not_found', `There is no tenant ${by.tenant_id}.`)
    await appendAudit(tx, { action: 'tenant.holder_page_changed', by, detail: { ...change } })
    return now
  })
}

/** The page on which holders ask a tenant for an erasure. The tenant registers it as its `supportURI`. */
export function erasureAddress(
  { config }: Pick<Context, 'config'>,
  { tenant_id }: { tenant_id: string },
): string {
  return `${config.BASE_URL}/erase/${config.CELL}${tenant_id}`
}
