import type { Context } from '../context.ts'
import { deleteOldGuesses } from './store.ts'

const batch = 1000
/** Longer than any counter takes to refill. */
const guessesKept_hours = 24

/** Deletes the counters of wrong pairing codes that have not been used for a day. */
export async function sweepGuesses({ db }: Pick<Context, 'db'>): Promise<void> {
  while ((await deleteOldGuesses(db, { kept_hours: guessesKept_hours, limit: batch })) >= batch) {
    // One more batch is due.
  }
}
