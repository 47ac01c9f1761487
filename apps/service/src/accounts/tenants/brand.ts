import type { Brand } from '@vidimus/contract'
import { type NewAuditEntry, appendAudit } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { readBrand, updateBrand } from './store.ts'

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
