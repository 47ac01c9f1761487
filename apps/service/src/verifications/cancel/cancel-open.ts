import { announceEvents } from '../../deliveries/index.ts'
import type { Context } from '../../engine/context.ts'
import { readToday } from '../store.ts'
import { type OpenVerification, cancelOpen, readOpen } from './store.ts'

/** How many are ended in one transaction. */
const maxEndedAtOnce = 200
const day_ms = 86_400_000

/**
 * Ends a tenant's open verifications as cancellations do: a wallet that responds first wins, any other gets 410. Only for a tenant that
 * creates none meanwhile. Returns how many were ended.
 */
export async function cancelOpenVerifications(
  { db }: Pick<Context, 'db'>,
  { tenant_id, operator_name }: { tenant_id: string; operator_name: string },
): Promise<number> {
  // None stays open for a day.
  const first_day = new Date(Date.parse(await readToday(db)) - day_ms).toISOString().slice(0, 10)
  let ended = 0
  let after: OpenVerification | undefined
  for (;;) {
    const open = await readOpen(db, { tenant_id, first_day, after, limit: maxEndedAtOnce })
    const { cancelled, queued } = await cancelOpen(db, { tenant_id, open, operator_name })
    ended += cancelled
    if (queued > 0) announceEvents(db)
    after = open.at(-1)
    if (open.length < maxEndedAtOnce) return ended
  }
}
