import type { Context } from '../../engine/context.ts'
import { addFetchCounts, type FetchCount } from './store.ts'

const flushDelay_ms = 500
const maxSessions = 10_000
const pendingCounts = new WeakMap<Context['db'], Map<string, FetchCount>>()

/**
 * Counts a fetch of the request object for the session's timeline: best effort, many in one statement. The wallet never waits
 * for it, and a process that dies loses at most half a second of counts.
 */
export function countFetch({ db, log }: Context, { day, id }: { day: string; id: string }): void {
  let fetches = pendingCounts.get(db)
  if (fetches === undefined) {
    const batch = new Map<string, FetchCount>()
    fetches = batch
    pendingCounts.set(db, batch)
    setTimeout(() => {
      pendingCounts.delete(db)
      addFetchCounts(db, [...batch.values()]).catch((error: unknown) =>
        log.warn({ err: error }, 'fetches were not counted'),
      )
    }, flushDelay_ms).unref()
  }
  const fetch = fetches.get(id) ?? { day, id, count: 0 }
  if (fetches.size < maxSessions) fetches.set(id, { ...fetch, count: fetch.count + 1 })
}
