import type { Context } from '../../engine/context.ts'
import { eventKey } from './event.ts'
import { logAsUnknown, readQueuedEventPage, type QueuedEventKey } from './revocable-store.ts'

const pageSize = 1000

/** Shown in the delivery log. */
const explanation = 'may have been delivered before a restore of the database; not sent again'

/**
 * Takes the events out of a restored queue of which `wasDelivered` is true. The log shows each as an attempt whose outcome is unknown, and
 * members can resend it. Returns their number.
 */
export async function skipDelivered(
  { db }: Pick<Context, 'db'>,
  wasDelivered: (key: string) => boolean,
): Promise<number> {
  let after: QueuedEventKey | undefined
  let skipped = 0
  for (;;) {
    const page = await readQueuedEventPage(db, { after, limit: pageSize })
    const events = page.filter((event) => wasDelivered(eventKey(event)))
    if (events.length > 0) skipped += await logAsUnknown(db, { events, error: explanation })
    after = page.at(-1)
    if (after === undefined || page.length < pageSize) return skipped
  }
}
