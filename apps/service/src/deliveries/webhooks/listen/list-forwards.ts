import type { ForwardedEvent } from '@vidimus/contract'
import type { Context } from '../../../engine/context.ts'
import { readForwards, type ReadForwards, type SentForward } from './store.ts'

/** The events forwarded to listeners, newest first, as the delivery log shows them among the attempts. */
export async function listForwards(
  { db }: Pick<Context, 'db'>,
  filter: ReadForwards,
): Promise<ForwardedEvent[]> {
  return (await readForwards(db, filter)).map(viewForward)
}

function viewForward(row: SentForward): ForwardedEvent {
  return {
    forward_id: row.id,
    verification_id: row.session_id,
    attempted_at: row.sent_at,
    outcome: row.outcome ?? 'unreported',
    ...(row.status !== null && { status: row.status }),
    ...(row.duration_ms !== null && { duration_ms: row.duration_ms }),
    ...(row.error !== null && { error: row.error }),
  }
}
