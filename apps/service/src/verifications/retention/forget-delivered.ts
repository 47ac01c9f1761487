import type { Db } from '../../platform/db/open.ts'
import type { WebhookEvent } from '../../webhooks/event.ts'
import { forgetResults } from '../store.ts'

/** Deletes results that were to be kept only until delivered (RET-3). A later resend carries no claims. */
export async function forgetDelivered(tx: Db, events: readonly WebhookEvent[]): Promise<void> {
  await forgetResults(
    tx,
    events.map(({ session_day, session_id }) => ({ day: session_day, id: session_id })),
  )
}
