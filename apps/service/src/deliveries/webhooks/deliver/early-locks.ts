import { eventKey, type WebhookEvent } from '../event.ts'
import type { LockedEvent } from './queue-store.ts'
import type { LockResult, SessionLocks } from './session-locks.ts'

/** Locks that were taken with the claim are released after this time, so that an erasure does not wait for dialling. */
const earlyLock_ms = 250

export type EarlyLocks = {
  /** What reading the session found, once the sessions of the claim are read. */
  read(event: WebhookEvent): Promise<LockResult>
  /** Hands the lock over, or acquires a new one if the time is up. The caller releases it. */
  use(event: WebhookEvent): LockResult | Promise<LockResult>
  /** Releases the lock unless it was handed over. */
  end(event: WebhookEvent): void
}

/** The locks of the events of one claim, whose sessions are read in one statement. */
export function openEarlyLocks(locks: SessionLocks, events: readonly LockedEvent[]): EarlyLocks {
  const unused = new Map<string, LockResult>()
  const reading = locks.read(events).then((results) => {
    for (const event of events) {
      const result = results.get(eventKey(event))
      if (typeof result === 'object' && !(result instanceof Error)) unused.set(eventKey(event), result)
    }
    timer = setTimeout(() => {
      for (const event of events) end(event)
    }, earlyLock_ms)
    return results
  })
  let timer: NodeJS.Timeout | undefined

  function end(event: WebhookEvent): void {
    if (unused.has(eventKey(event))) locks.release(event)
    discard(event)
  }

  function discard(event: WebhookEvent): void {
    unused.delete(eventKey(event))
    if (unused.size === 0) clearTimeout(timer)
  }

  return {
    async read(event) {
      const result = (await reading).get(eventKey(event)) ?? 'being_erased'
      if (result instanceof Error) throw result
      return result
    },
    use(event) {
      const result = unused.get(eventKey(event))
      discard(event)
      return result ?? locks.acquire(event)
    },
    end,
  }
}
