import type { Context } from '../../context.ts'
import type { OutboundOutcome } from '../../platform/egress/request.ts'
import { composeMessage } from '../compose.ts'
import type { LockResult, SessionLocks } from './session-locks.ts'
import type { HostSlots } from './host-slots.ts'
import type { ClaimedEvent } from '../event.ts'

/** HOOK-6. Writing the message has a shorter limit: an erasure of its session waits for it. */
export const limits = { timeout_ms: 10_000, write_timeout_ms: 1000, max_response_bytes: 16 * 1024 }

/** A lock taken before the connection is open is released after this time, so that an erasure does not wait for dialling. */
const earlyLock_ms = 250

/**
 * `gone`: the session no longer exists. `not_sent`: the session is being erased, or its lock was lost; the event becomes ready
 * again when its lease expires, if the session still exists then. `no_slot`: the receiver is too busy, and nothing was sent.
 */
export type AttemptOutcome =
  | (Exclude<OutboundOutcome, { outcome: 'withdrawn' }> & {
      /** When the message was composed; absent if the attempt failed before that. */ sent_at?: string
    })
  | { outcome: 'gone' }
  | { outcome: 'not_sent' }
  | { outcome: 'no_slot' }

type AttemptResources = { locks: SessionLocks; slots: HostSlots; connectionLost: AbortSignal }

/**
 * Makes one attempt to deliver an event. Anything the receiver does is a return value; a thrown error is our own failure. The
 * session is locked and read before a slot is taken, so that no slot is idle in the meantime.
 */
export async function attemptDelivery(
  ctx: Pick<Context, 'egress' | 'keyring'>,
  { locks, slots, connectionLost }: AttemptResources,
  event: ClaimedEvent,
): Promise<AttemptOutcome> {
  const early = await lockEarly(locks, event)
  if (early.result === 'gone') return { outcome: 'gone' }
  if (early.result === 'being_erased') return { outcome: 'not_sent' }
  try {
    if (!(await slots.acquire(event.host))) return { outcome: 'no_slot' }
    try {
      return await sendOnce(ctx, { locks, early, connectionLost }, event)
    } finally {
      slots.release(event.host)
    }
  } finally {
    early.end()
  }
}

type EarlyLock = Awaited<ReturnType<typeof lockEarly>>

/** Locks the session for a short time. `use` hands the lock over, or acquires a new one if that time is up. */
async function lockEarly(locks: SessionLocks, event: ClaimedEvent) {
  const result = await locks.acquire(event)
  let unused = typeof result === 'string' ? undefined : result
  const end = () => {
    clearTimeout(timer)
    if (unused !== undefined) locks.release(event)
    unused = undefined
  }
  const timer = setTimeout(end, earlyLock_ms)
  return {
    result,
    end,
    /** The caller releases the lock. */
    use(): Promise<LockResult> | LockResult {
      clearTimeout(timer)
      const used = unused
      unused = undefined
      return used ?? locks.acquire(event)
    },
  }
}

type SendResources = { locks: SessionLocks; early: EarlyLock; connectionLost: AbortSignal }

async function sendOnce(
  { egress, keyring }: Pick<Context, 'egress' | 'keyring'>,
  { locks, early, connectionLost }: SendResources,
  event: ClaimedEvent,
): Promise<AttemptOutcome> {
  let acquired: LockResult = 'being_erased'
  const response = await egress.request({
    ...limits,
    method: 'POST',
    url: event.url,
    signal: connectionLost,
    async compose(write) {
      acquired = await early.use()
      // Locks end with their connection; without them an erasure may already have been confirmed.
      if (acquired === 'gone' || acquired === 'being_erased' || connectionLost.aborted) return
      try {
        await write(composeMessage(keyring, event, acquired))
      } finally {
        locks.release(event)
      }
    },
  })
  const lock = acquired as LockResult // assigned in the callback, which the compiler does not track
  if (response.outcome === 'withdrawn') return { outcome: lock === 'gone' ? 'gone' : 'not_sent' }
  return typeof lock === 'string' ? response : { ...response, sent_at: lock.sent_at }
}
