import type { Db } from '../../platform/db/open.ts'
import type { WebhookEvent } from '../../webhooks/event.ts'
import { forgetResults } from '../store.ts'

/** Lets go of results that were to be kept no longer than it takes to deliver them (RET-3). A resend then carries none. */
export async function forgetDelivered(tx: Db, events: readonly WebhookEvent[]): Promise<void> {
  await forgetResults(
    tx,
    events.map(({ session_day, session_id }) => ({ day: session_day, id: session_id })),
  )
}
