import type { Db } from '../../engine/db/index.ts'
import { notifyWorkers } from './deliver/queue-store.ts'

/** The least time between two announcements of a process. A worker with something to do polls about as often anyway. */
const interval_ms = 50

/** When each database was last announced to, and whether an announcement is scheduled. */
const announcers = new WeakMap<Db, { last_ms: number; isScheduled: boolean }>()

/**
 * Wakes the workers after a transaction has queued events. It returns at once and may be lost: workers also poll. It is not part
 * of that transaction, because PostgreSQL commits transactions that notify one after the other, each with its flush to disk.
 */
export function announceEvents(db: Db): void {
  const announcer = announcers.get(db) ?? { last_ms: Number.NEGATIVE_INFINITY, isScheduled: false }
  announcers.set(db, announcer)
  if (announcer.isScheduled) return
  announcer.isScheduled = true
  const announce = () => {
    announcer.isScheduled = false
    announcer.last_ms = performance.now()
    notifyWorkers(db).catch(() => {
      // The database is unavailable or was closed. The workers poll.
    })
  }
  const wait_ms = announcer.last_ms + interval_ms - performance.now()
  if (wait_ms <= 0) announce()
  else setTimeout(announce, wait_ms).unref()
}
