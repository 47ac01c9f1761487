import type { Context } from '../../engine/context.ts'
import { type Approval, readTenants } from './store.ts'

export type ListedTenant = {
  tenant_id: string
  name: string
  plan: string
  daily_quota: number
  approval: Approval
  created_at: string
}

const pageSize = 500

/** All tenants, read page by page. */
export async function* listTenants({ db }: Pick<Context, 'db'>): AsyncGenerator<ListedTenant> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const rows = await readTenants(db, { after, limit: pageSize })
    for (const { id, name, plan, daily_quota, approval, created_at } of rows) {
      yield { tenant_id: id, name, plan, daily_quota, approval, created_at }
      after = id
    }
    if (rows.length < pageSize) return
  }
}
