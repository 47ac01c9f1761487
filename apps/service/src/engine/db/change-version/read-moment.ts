import { setImmediate as endOfTurn } from 'node:timers/promises'
import type { Database } from '../open.ts'
import { Refusal } from '../../basics/refusal.ts'
import { queryMoment, type Moment } from './query-moment.ts'

/** The maximum number of requests that wait for a moment. */
export const maxWaitingForMoment = 10_000

const readers = new WeakMap<Database, () => Promise<Moment>>()

/**
 * The current moment. Requests that arrive together share one statement, which is sent after the last of them arrived: each
 * sees every change that was acknowledged before its call.
 */
export function readMoment(db: Database): Promise<Moment> {
  let read = readers.get(db)
  if (read === undefined) {
    read = shareReads(() => queryMoment(db))
    readers.set(db, read)
  }
  return read()
}

/** As `coalesce`, for calls that all have the same result: they share its promise, and a call costs next to nothing. */
export function shareReads<Result>(query: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined
  let next: Promise<Result> | undefined
  let waiting = 0

  return () => {
    if (waiting >= maxWaitingForMoment)
      return Promise.reject(
        new Refusal('overloaded', 'Too many requests are waiting. Try again in a moment.', 1),
      )
    waiting += 1
    next ??= runNext()
    return next
  }

  async function runNext(): Promise<Result> {
    // A failure is reported to those who wait for it.
    if (running === undefined) await endOfTurn()
    else await running.catch(() => {})
    next = undefined
    waiting = 0
    const mine = query()
    running = mine
    try {
      return await mine
    } finally {
      if (running === mine) running = undefined
    }
  }
}
