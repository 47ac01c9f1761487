import type { Context } from '../../engine/context.ts'
import { readTenantsTrustingLists } from './store.ts'

const pageSize = 500

/** The tenants that trust lists are for, page by page. */
export async function* listTenantsTrustingLists({ db }: Pick<Context, 'db'>): AsyncGenerator<string[]> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const page = await readTenantsTrustingLists(db, { after, limit: pageSize })
    yield page
    if (page.length < pageSize) return
    after = page.at(-1) ?? after
  }
}
