import type { Context } from '../../engine/context.ts'
import { deleteOldGuesses } from './guess-store.ts'

const batchSize = 1000
/** Longer than any counter takes to refill. */
const guessRetention_hours = 24

/** Deletes counters of wrong pairing codes that were not used for a day. */
export async function sweepGuesses({ db }: Pick<Context, 'db'>): Promise<void> {
  while (
    (await deleteOldGuesses(db, { older_than_hours: guessRetention_hours, limit: batchSize })) >= batchSize
  ) {
    // Delete the next batch.
  }
}
