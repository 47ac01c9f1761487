import { countFinalUsage } from '../../accounts/index.ts'
import { installationChain } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { hostFromUrl } from '../webhooks/event.ts'
import { insertUsageDay } from './store.ts'

/** Rows in one message. A day with more has several. */
export const maxUsageRows = 50_000

/** Queues the usage of a day for the operator's billing, in the transaction that makes it final. Without BILLING_URL it does nothing. */
export async function queueUsageDay(tx: Db, { config }: Pick<Context, 'config'>, day: string): Promise<void> {
  const { BILLING_URL: url, CELL } = config
  if (url === undefined) return
  const parts = countParts(await countFinalUsage(tx, day))
  for (let part = 1; part <= parts; part += 1)
    await insertUsageDay(tx, {
      event_id: `evt_usage_${CELL}_${day}_${part}`,
      // It belongs to no tenant.
      tenant_id: installationChain,
      day,
      url,
      host: hostFromUrl(url),
    })
}

/** A day without usage has one too, so that its receiver knows that nothing is missing. */
export function countParts(rows: number): number {
  return Math.max(1, Math.ceil(rows / maxUsageRows))
}
