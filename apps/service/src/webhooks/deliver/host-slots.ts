import { openKeyedSemaphore } from '../../platform/keyed-semaphore.ts'
import { maxSenders } from './allocate-senders.ts'

/** Bounds how many messages are being sent to a host at once. */
export type HostSlots = {
  /** Waits for a slot. False if none became free in time. */
  acquire(host: string): Promise<boolean>
  release(host: string): void
  /** Whether every slot of a host is taken. */
  isSaturated(host: string): boolean
}

/** After this time an event goes back to the queue: its lease would not outlast a receiver that hangs. */
const maxWait_ms = 1000

export function openHostSlots(): HostSlots {
  const semaphore = openKeyedSemaphore(maxSenders.host)
  return {
    async acquire(host) {
      if (semaphore.tryAcquire(host)) return true
      try {
        await semaphore.acquire(host, AbortSignal.timeout(maxWait_ms))
        return true
      } catch {
        // Timed out.
        return false
      }
    },
    release: (host) => semaphore.release(host),
    isSaturated: (host) => semaphore.isFull(host),
  }
}
