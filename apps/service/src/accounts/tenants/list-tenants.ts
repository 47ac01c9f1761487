import type { Context } from '../../engine/context.ts'
import { resolveDailyQuota } from './quota.ts'
import { readTenants } from './store.ts'

export type ListedTenant = {
  tenant_id: string
  name: string
  plan: string
  daily_quota: number
  created_at: string
}

const pageSize = 500

/** All tenants, read page by page. */
export async function* listTenants({
  config,
  db,
}: Pick<Context, 'config' | 'db'>): AsyncGenerator<ListedTenant> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const rows = await readTenants(db, { after, limit: pageSize })
    for (const row of rows) {
      const { id, name, plan, created_at } = row
      yield { tenant_id: id, name, plan, daily_quota: resolveDailyQuota(config, row), created_at }
      after = id
    }
    if (rows.length < pageSize) return
  }
}
