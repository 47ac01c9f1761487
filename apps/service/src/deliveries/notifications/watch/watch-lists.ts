import { raiseAlertForTenants, resolveOpen } from '../../../audit/index.ts'
import type { Context } from '../../../engine/context.ts'
import { readClock } from '../../../engine/db/index.ts'
import { isListEnding, listTenantsTrustingLists, listTrustLists } from '../../../trust/index.ts'
import { lockWatch } from './store.ts'

export const watchListsInterval_ms = 300_000

/** Raises an alert for every tenant that trusts a list which has expired, or soon will because it cannot be refreshed. */
export async function watchLists(ctx: Pick<Context, 'db'>): Promise<void> {
  const { db } = ctx
  const now_ms = Date.parse(await readClock(db))
  const ending = (await listTrustLists(ctx)).filter((list) => isListEnding(list, now_ms))
  await db.transaction(async (tx) => {
    if (!(await lockWatch(tx, 'lists'))) return
    await resolveOpen(
      tx,
      'trust_list_stale',
      ({ environment, subject }) =>
        !ending.some((list) => list.environment === environment && list.url === subject),
    )
  })
  if (ending.length === 0) return
  for await (const tenant_ids of listTenantsTrustingLists(ctx)) {
    for (const { environment, url, trusted_until } of ending)
      await raiseAlertForTenants(db, tenant_ids, {
        environment,
        kind: 'trust_list_stale',
        subject: url,
        details: { url, ...(trusted_until !== null && { trusted_until }) },
      })
  }
}
