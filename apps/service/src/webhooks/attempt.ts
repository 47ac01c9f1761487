import type { Context } from '../context.ts'
import type { Outcome } from '../platform/egress/request.ts'
import { composeMessage } from './compose.ts'
import type { Hold, Holds } from './hold.ts'
import type { ClaimedEvent } from './event.ts'

/** HOOK-6. The message itself has less: while it leaves, an erasure of its session waits. */
export const limits = { timeout_ms: 10_000, write_timeout_ms: 1000, max_response_bytes: 16 * 1024 }

/** `left_alone`: nothing was sent, and the session is being erased; the lease will end if it is not. */
export type AttemptOutcome =
  | (Exclude<Outcome, { outcome: 'withdrawn' }> & {
      /** When it was composed, if it came to that. */ sent_at?: string
    })
  | { outcome: 'gone' }
  | { outcome: 'left_alone' }

/** Makes one attempt to tell a receiver of an event. Whatever it does is a value; what is thrown is a fault of ours. */
export async function attemptDelivery(
  { egress, keyring }: Pick<Context, 'egress' | 'keyring'>,
  { holds, lost }: { holds: Holds; lost: AbortSignal },
  event: ClaimedEvent,
): Promise<AttemptOutcome> {
  let hold: Hold = 'busy'
  const ended = await egress.request({
    ...limits,
    method: 'POST',
    url: event.url,
    signal: lost,
    async compose(write) {
      hold = await holds.take(event)
      if (hold === 'gone' || hold === 'busy') return
      try {
        await write(composeMessage(keyring, event, hold))
      } finally {
        holds.release(event)
      }
    },
  })
  const moment = hold as Hold // assigned above, where the compiler does not look
  if (ended.outcome === 'withdrawn') return { outcome: moment === 'gone' ? 'gone' : 'left_alone' }
  return typeof moment === 'string' ? ended : { ...ended, sent_at: moment.sent_at }
}
