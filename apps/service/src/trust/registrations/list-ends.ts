import type { Context } from '../../engine/context.ts'
import { readEnds, type RegistrationEndRow } from './store.ts'

export type { RegistrationEndRow }

/** How many days before its end the overview warns of a registration. Renewing takes weeks. */
export const notice_days = 30
const pageSize = 200
const nil = '00000000-0000-0000-0000-000000000000'

/** The registrations of all tenants that have ended or will within 30 days, page by page. */
export async function* listRegistrationEnds({
  db,
}: Pick<Context, 'db'>): AsyncGenerator<RegistrationEndRow[]> {
  let after = { tenant_id: nil, id: nil }
  for (;;) {
    const rows = await readEnds(db, { after, days: notice_days, limit: pageSize })
    yield rows
    if (rows.length < pageSize) return
    after = rows.at(-1) ?? after
  }
}
