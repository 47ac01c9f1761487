import type { Context } from '../context.ts'
import { addFetches, type Fetch } from './answer-store.ts'

const flushAfter_ms = 500
const maxNoted = 10_000
const noted = new WeakMap<Context['db'], Map<string, Fetch>>()

/**
 * Counts a fetch of the request for the session's timeline: best effort, many in one statement. A wallet's fetch never waits
 * for it, and a process that dies loses half a second of them.
 */
export function noteFetch({ db, log }: Context, { day, id }: { day: string; id: string }): void {
  let fetches = noted.get(db)
  if (fetches === undefined) {
    const batch = new Map<string, Fetch>()
    fetches = batch
    noted.set(db, batch)
    setTimeout(() => {
      noted.delete(db)
      addFetches(db, [...batch.values()]).catch((error: unknown) =>
        log.warn({ err: error }, 'fetches were not counted'),
      )
    }, flushAfter_ms).unref()
  }
  const fetch = fetches.get(id) ?? { day, id, count: 0 }
  if (fetches.size < maxNoted) fetches.set(id, { ...fetch, count: fetch.count + 1 })
}
