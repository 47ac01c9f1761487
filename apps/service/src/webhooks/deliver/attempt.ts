import type { Context } from '../../context.ts'
import type { OutboundOutcome } from '../../platform/egress/request.ts'
import { composeMessage } from '../compose.ts'
import type { LockResult, SessionLocks } from './session-locks.ts'
import type { HostSlots } from './host-slots.ts'
import type { ClaimedEvent } from '../event.ts'

/** HOOK-6. The message itself has less: while it leaves, an erasure of its session waits. */
export const limits = { timeout_ms: 10_000, write_timeout_ms: 1000, max_response_bytes: 16 * 1024 }

/** While its line is dialled, a session is held so long and then let go: its erasure should not wait for that. */
const earlyLock_ms = 250

/**
 * `left_alone`: nothing was sent, and the session is being erased; the lease will end if it is not. `no_line`: nothing was
 * sent, because the receiver is too busy.
 */
export type AttemptOutcome =
  | (Exclude<OutboundOutcome, { outcome: 'withdrawn' }> & {
      /** When it was composed, if it came to that. */ sent_at?: string
    })
  | { outcome: 'gone' }
  | { outcome: 'left_alone' }
  | { outcome: 'no_line' }

type AttemptResources = { locks: SessionLocks; slots: HostSlots; connectionLost: AbortSignal }

/**
 * Makes one attempt to tell a receiver of an event. Whatever it does is a value; what is thrown is a fault of ours. The
 * session is looked at before there is a line, so that no line is idle meanwhile.
 */
export async function attemptDelivery(
  ctx: Pick<Context, 'egress' | 'keyring'>,
  { locks: holds, slots: lines, connectionLost: lost }: AttemptResources,
  event: ClaimedEvent,
): Promise<AttemptOutcome> {
  const early = await lockEarly(holds, event)
  if (early.hold === 'gone') return { outcome: 'gone' }
  if (early.hold === 'busy') return { outcome: 'left_alone' }
  try {
    if (!(await lines.acquire(event.host))) return { outcome: 'no_line' }
    try {
      return await sendOnce(ctx, { holds, early, lost }, event)
    } finally {
      lines.release(event.host)
    }
  } finally {
    early.end()
  }
}

type EarlyLock = Awaited<ReturnType<typeof lockEarly>>

/** A hold that is to be used soon: whoever comes too late takes another. */
async function lockEarly(holds: SessionLocks, event: ClaimedEvent) {
  const hold = await holds.acquire(event)
  let kept = typeof hold === 'string' ? undefined : hold
  const end = () => {
    clearTimeout(timer)
    if (kept !== undefined) holds.release(event)
    kept = undefined
  }
  const timer = setTimeout(end, earlyLock_ms)
  return {
    hold,
    end,
    /** The hold, to be released by the caller. */
    use(): Promise<LockResult> | LockResult {
      clearTimeout(timer)
      const used = kept
      kept = undefined
      return used ?? holds.acquire(event)
    },
  }
}

async function sendOnce(
  { egress, keyring }: Pick<Context, 'egress' | 'keyring'>,
  { holds, early, lost }: { holds: SessionLocks; early: EarlyLock; lost: AbortSignal },
  event: ClaimedEvent,
): Promise<AttemptOutcome> {
  let hold: LockResult = 'busy'
  const ended = await egress.request({
    ...limits,
    method: 'POST',
    url: event.url,
    signal: lost,
    async compose(write) {
      hold = await early.use()
      // With the connection its locks are gone, and an erasure need not have waited.
      if (hold === 'gone' || hold === 'busy' || lost.aborted) return
      try {
        await write(composeMessage(keyring, event, hold))
      } finally {
        holds.release(event)
      }
    },
  })
  const moment = hold as LockResult // assigned above, where the compiler does not look
  if (ended.outcome === 'withdrawn') return { outcome: moment === 'gone' ? 'gone' : 'left_alone' }
  return typeof moment === 'string' ? ended : { ...ended, sent_at: moment.sent_at }
}
